import { CloseButton } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslations } from '../translations.ts';
import classes from './WindowFrame.module.css';

interface Props {
  title: string;
  icon?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** An info window's frame. It takes the focus when it opens, and gives it back when it closes. */
export function WindowFrame({ title, icon, onClose, children }: Props) {
  const t = useTranslations();
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  // From wherever the focus went meanwhile, unless there is something else to close first.
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      const other = target instanceof Element && target.closest('[data-mantine-stop-propagation]');
      if (key === 'Escape' && !other && !document.querySelector(':popover-open, dialog[open]')) onClose();
    },
    { capture: true },
  );
  return (
    <div
      ref={ref}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      className={classes.frame}
      // The map moves by the same keys.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className={classes.head}>
        {icon}
        <h2 id={id}>{title}</h2>
        <CloseButton size={44} iconSize={20} aria-label={t('close')} onClick={onClose} />
      </div>
      {children}
    </div>
  );
}
