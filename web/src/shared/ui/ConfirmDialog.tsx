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
  /** Whether it takes nothing away. */
  harmless?: boolean;
  /** What confirming does; or the id of the form in the dialog that it submits. */
  onConfirm: (() => void) | string;
  children: ReactNode;
}

/** Asks again before something that cannot be undone. The browser's own dialog keeps the focus inside. */
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
