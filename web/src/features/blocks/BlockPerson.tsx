import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { PublicUser } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/slice.ts';
import {
  blockRequested,
  blocksRequested,
  type blocksSlice,
  selectBlocksState,
  selectIsBlockChanging,
  selectIsBlocked,
} from '../../entities/blocks/slice.ts';
import { useBlockTranslations } from '../../entities/blocks/translations.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import classes from './Blocks.module.css';

type State = Parameters<typeof blocksSlice.selectSlice>[0];

function Block({ user }: { user: PublicUser }) {
  const t = useBlockTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useSelector(selectBlocksState);
  const isBlocked = useSelector((state: State) => selectIsBlocked(state, user.id));
  const busy = useSelector(selectIsBlockChanging);
  const { username } = user;
  useEffect(() => {
    dispatch(blocksRequested());
  }, [dispatch]);
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current && !busy) dialog.current?.close();
    sent.current = busy;
  }, [busy]);
  // Where friends are added, blocked users have the button to unblock them.
  if (isBlocked) return null;
  return (
    <div className={classes.person}>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconBan size={18} aria-hidden />}
        disabled={list === 'loading'}
        aria-label={t('block', { username })}
        onClick={() => dialog.current?.showModal()}
      >
        {t('doBlock')}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('confirm', { username })}
        confirmLabel={t('doBlock')}
        cancelLabel={t('rather')}
        busy={busy}
        onConfirm={() => dispatch(blockRequested(user))}
      >
        <p>{t('story', { username })}</p>
      </ConfirmDialog>
    </div>
  );
}

/** Blocks a user. */
export function BlockPerson({ user }: { user: PublicUser }) {
  const me = useSelector(selectUser);
  return me && me.id !== user.id ? <Block user={user} /> : null;
}
