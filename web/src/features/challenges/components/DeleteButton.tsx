import { Button } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectDeleteError, selectDeleting } from '../../../entities/challenges/selectors.ts';
import { deleteRequested } from '../../../entities/challenges/slice.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Actions.module.css';

/** For admins: deletes a challenge after a confirmation. */
export function DeleteButton({ challenge }: { challenge: Challenge }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const deleting = useSelector(selectDeleting);
  const error = useSelector(selectDeleteError);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        variant="transparent"
        className={classes.delete ?? ''}
        fullWidth
        onClick={() => dialog.current?.showModal()}
      >
        {t('delete')}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('deleteTitle')}
        confirmLabel={t('deleteIt')}
        cancelLabel={t('keepIt')}
        busy={deleting}
        onConfirm={() => dispatch(deleteRequested(challenge.id))}
      >
        <p>{t('deleteStory', { name: challenge.name })}</p>
        {error && <FormError>{error}</FormError>}
      </ConfirmDialog>
    </>
  );
}
