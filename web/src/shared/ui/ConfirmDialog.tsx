import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useId } from 'react';
import classes from './ConfirmDialog.module.css';

interface Props {
  /** `showModal()` on it opens the dialog. */
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  confirmLabel: string;
  cancelLabel: string;
  busy: boolean;
  /** Whether nothing is lost by confirming. */
  harmless?: boolean;
  /** Called on confirmation, or the id of a form in the dialog that is submitted. */
  onConfirm: (() => void) | string;
  children: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. The native dialog traps the focus. */
export function ConfirmDialog({
  ref,
  title,
  confirmLabel,
  cancelLabel,
  busy,
  harmless = false,
  onConfirm,
  children,
}: Props) {
  const titleId = useId();
  return (
    <dialog ref={ref} className={classes.dialog} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => ref.current?.close()}>
          {cancelLabel}
        </Button>
        <Button
          className={(!harmless && classes.danger) || ''}
          loading={busy}
          {...(typeof onConfirm === 'string' ? { type: 'submit', form: onConfirm } : { onClick: onConfirm })}
        >
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
