import { Button } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/slice.ts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/admin.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import classes from './DeleteAllOf.module.css';

const { useTranslations } = catalogue('admin', english);

/** For admins: deletes all challenges of a user, and revokes the points earned with them. */
export function DeleteAllOf({ user: { id, username } }: { user: PublicUser }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const me = useSelector(selectUser);
  const dialog = useRef<HTMLDialogElement>(null);
  const deleting = useMutation();
  if (!me?.admin) return null;
  const confirmed = () =>
    deleting.mutate(
      (client) => client.deleteChallengesOf({ params: { id: String(id) } }),
      ({ deleted: count }) => {
        dialog.current?.close();
        dispatch(noticed({ text: t('allDeleted', { count, username }), tone: 'good' }));
      },
    );
  return (
    <div className={classes.part}>
      <Button
        variant="transparent"
        className={classes.delete ?? ''}
        onClick={() => dialog.current?.showModal()}
      >
        {t('deleteAll', { username })}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('deleteAllTitle', { username })}
        confirmLabel={t('deleteThem')}
        cancelLabel={t('keepThem')}
        busy={deleting.state === 'loading'}
        onConfirm={confirmed}
      >
        <p>{t('deleteAllStory', { username })}</p>
        <FormError>{deleting.error}</FormError>
      </ConfirmDialog>
    </div>
  );
}
