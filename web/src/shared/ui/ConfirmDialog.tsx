import { Button, Group } from '@mantine/core';
import { type ReactNode, type RefObject, useId } from 'react';
import classes from './ConfirmDialog.module.css';

interface Props {
  /** `showModal()` on it opens the dialog. */
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  confirmLabel: string;
  cancelLabel: string;
  busy: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

/** Asks again before something that cannot be undone. The browser's own dialog keeps the focus inside. */
export function ConfirmDialog({ ref, title, confirmLabel, cancelLabel, busy, onConfirm, children }: Props) {
  const titleId = useId();
  return (
    <dialog ref={ref} className={classes.dialog} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <Group justify="end" mt={24}>
        <Button variant="default" onClick={() => ref.current?.close()}>
          {cancelLabel}
        </Button>
        <Button className={classes.danger ?? ''} loading={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </dialog>
  );
}
