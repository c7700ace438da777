import { Title, type TitleProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { countText } from '../lib/count-text.ts';
import { useUnread } from '../lib/unread.ts';

interface Props extends TitleProps {
  /** For the browser's tab, when the heading says something else. */
  tab?: string;
  /** Whether it takes the focus in any case, since it came in the place of another page. */
  takesFocus?: boolean;
  children: string;
}

/** A page's heading. It names the tab and, after a step from another page, takes the focus. */
export function PageTitle({ tab, takesFocus = false, children, ...title }: Props) {
  const { count } = useUnread();
  const ref = useRef<HTMLHeadingElement>(null);
  const firstPage = useLocation().key === 'default';
  const arrivedByLink = useRef(takesFocus || !firstPage);
  useEffect(() => {
    if (arrivedByLink.current) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <title>{`${count > 0 ? `(${countText(count)}) ` : ''}${tab ?? children} · Wayquest`}</title>
      <Title order={1} ref={ref} tabIndex={-1} {...title}>
        {children}
      </Title>
    </>
  );
}
