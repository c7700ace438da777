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

/** The frame of an info window. It takes the focus when it opens, and returns it when it closes. */
export function WindowFrame({ title, icon, onClose, children }: Props) {
  const t = useTranslations();
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const previousFocus = document.activeElement;
    ref.current?.focus({ preventScroll: true });
    return () => {
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected)
        previousFocus.focus({ preventScroll: true });
    };
  }, []);
  // Wherever the focus is, unless something else has to be closed first.
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
      // The map handles the same keys.
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
