import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { FormError } from '../../shared/ui/Message.tsx';
import classes from './FormDialog.module.css';
import { useTranslations } from './translations.ts';

interface Props {
  title: string;
  /** The label of the submit button, 'Send' by default. */
  submitLabel?: string;
  /** Whether something is lost by submitting, which the button shows. */
  isDestructive?: boolean;
  /** As in `useMutation`. */
  state: string;
  error: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a modal dialog, which is open while it is mounted. The native dialog traps the focus. */
export function FormDialog({
  title,
  submitLabel,
  isDestructive = false,
  state,
  error,
  onSubmit,
  onClose,
  children,
}: Props) {
  const t = useTranslations();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Closing it before it is unmounted returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      <form onSubmit={submitted}>
        {children}
        <FormError>{error}</FormError>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            className={(isDestructive && classes.danger) || ''}
            loading={state === 'loading'}
          >
            {submitLabel ?? t('send')}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
