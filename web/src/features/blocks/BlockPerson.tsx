import { Button, Text } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useRef } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../shared/ui/FormError.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import classes from './Blocks.module.css';
import { useBlocks } from './use-blocks.ts';
import { useWords } from './words.ts';

function Block({ user }: { user: PublicUser }) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const { asked, blocked, change, block, unblock } = useBlocks();
  const { username } = user;
  const busy = change.state === 'loading';
  const isBlocked = blocked?.some(({ id }) => id === user.id) ?? false;
  const confirmed = async () => {
    await block(user);
    dialog.current?.close();
  };
  return (
    <div className={classes.person} {...keptFocus}>
      {isBlocked ? (
        <>
          <Text className={classes.told ?? ''}>{t('youBlocked', { username })}</Text>
          <Button variant="default" loading={busy} onClick={() => unblock(user)}>
            {t('unblock')}
          </Button>
        </>
      ) : (
        <Button
          variant="subtle"
          color="gray"
          disabled={asked.state === 'loading'}
          aria-label={t('block', { username })}
          onClick={() => dialog.current?.showModal()}
        >
          {t('doBlock')}
        </Button>
      )}
      <FormError>{change.error}</FormError>
      <ConfirmDialog
        ref={dialog}
        title={t('confirm', { username })}
        confirmLabel={t('doBlock')}
        cancelLabel={t('rather')}
        busy={busy}
        onConfirm={confirmed}
      >
        <p>{t('story', { username })}</p>
      </ConfirmDialog>
    </div>
  );
}

/** The way to have nothing to do with a person, and back. */
export function BlockPerson({ user }: { user: PublicUser }) {
  const me = useSelector(selectUser);
  return me && me.id !== user.id ? <Block user={user} /> : null;
}
