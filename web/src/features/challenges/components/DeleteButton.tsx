import { Button, type ButtonProps } from '@mantine/core';
import { useRef } from 'react';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Actions.module.css';

interface Props extends Pick<ButtonProps, 'fullWidth' | 'px'> {
  label: string;
  /** The consequences, shown in the dialog. */
  warning: string;
  confirmLabel: string;
  isDeleting: boolean;
  error: string | null;
  onConfirm(): void;
}

/** Deletes a challenge after a confirmation. */
export function DeleteButton({
  label,
  warning,
  confirmLabel,
  isDeleting,
  error,
  onConfirm,
  ...button
}: Props) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        variant="transparent"
        className={classes.delete ?? ''}
        onClick={() => dialog.current?.showModal()}
        {...button}
      >
        {label}
      </Button>
      <ConfirmDialog
        ref={dialog}
        title={t('deleteTitle')}
        confirmLabel={confirmLabel}
        cancelLabel={t('cancel')}
        busy={isDeleting}
        onConfirm={onConfirm}
      >
        <p>{warning}</p>
        <FormError>{error}</FormError>
      </ConfirmDialog>
    </>
  );
}
