import { Button, Skeleton, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { PublicUser } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import {
  blockRequested,
  blocksRequested,
  type blocksSlice,
  selectBlocked,
  selectBlocksError,
  selectBlocksState,
  selectIsBlockChanging,
  selectIsBlocked,
  unblockRequested,
} from '../../entities/blocks/slice.ts';
import { useBlockTranslations } from '../../entities/blocks/translations.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { Failure } from '../../shared/ui/Message.tsx';
import { Pending } from '../../shared/ui/Pending.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import classes from './Blocks.module.css';

/** The users whom the person has blocked, with buttons to unblock them. */
export function BlockedPeople() {
  const t = useBlockTranslations();
  const dispatch = useDispatch();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const blocked = useSelector(selectBlocked);
  const state = useSelector(selectBlocksState);
  const error = useSelector(selectBlocksError);
  const changing = useSelector(selectIsBlockChanging);
  useEffect(() => {
    dispatch(blocksRequested());
  }, [dispatch]);
  return (
    <Section titleId="blocks-title" title={t('title')}>
      <div {...focusFallback}>
        {state === 'failed' && <Failure onRetry={() => dispatch(blocksRequested())}>{error}</Failure>}
        {(state === 'idle' || state === 'loading') && (
          <Pending>
            <Skeleton height={24} />
          </Pending>
        )}
        {state === 'ready' && <Text>{t(blocked.length > 0 ? 'lead' : 'none')}</Text>}
        {blocked.length > 0 && (
          <ul className={classes.people}>
            {blocked.map((user) => (
              <li key={user.id}>
                <Link to={`/users/${user.id}`}>{user.username}</Link>
                <Button
                  variant="default"
                  disabled={changing}
                  aria-label={t('unblockName', { username: user.username })}
                  onClick={() => dispatch(unblockRequested(user))}
                >
                  {t('unblock')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

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
        cancelLabel={t('cancel')}
        busy={busy}
        onConfirm={() => dispatch(blockRequested(user))}
      >
        <p>{t('description', { username })}</p>
      </ConfirmDialog>
    </div>
  );
}

/** Blocks a user. */
export function BlockPerson({ user }: { user: PublicUser }) {
  const me = useSelector(selectUser);
  return me && me.id !== user.id ? <Block user={user} /> : null;
}
