import { Title, type TitleProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { siteName } from '../lib/site.ts';
import { countText, useUnreadNotifications } from '../lib/unread-notifications.ts';
import classes from './Page.module.css';

interface PageProps {
  width?: 'narrow' | 'medium' | 'full';
  children: ReactNode;
}

/** The column that contains every page's content. */
export function Page({ width = 'full', children }: PageProps) {
  return <div className={`${classes.page} ${classes[width] ?? ''}`}>{children}</div>;
}

interface PageTitleProps extends TitleProps {
  /** Title of the browser's tab, if it differs from the heading. */
  tab?: string;
  /** Whether it always takes the focus, since it replaces another page without a navigation. */
  takesFocus?: boolean;
  children: string;
}

/** A page's heading. It sets the document's title and, after a navigation, takes the focus. */
export function PageTitle({ tab, takesFocus = false, children, ...title }: PageTitleProps) {
  const count = useUnreadNotifications();
  const ref = useRef<HTMLHeadingElement>(null);
  const firstPage = useLocation().key === 'default';
  const arrivedByLink = useRef(takesFocus || !firstPage);
  useEffect(() => {
    if (arrivedByLink.current) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <title>{`${count > 0 ? `(${countText(count)}) ` : ''}${tab ?? children} · ${siteName}`}</title>
      <Title order={1} ref={ref} tabIndex={-1} {...title}>
        {children}
      </Title>
    </>
  );
}
