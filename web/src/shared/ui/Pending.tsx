import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonWords } from '../words/common.ts';

/** Placeholders for what is on its way, and a word about it for who cannot see them. */
export function Pending({
  what,
  children,
  className,
}: {
  /** Said in the person's language. */
  what: string;
  children: ReactNode;
  className?: string;
}) {
  const t = useCommonWords();
  return (
    <div aria-busy="true" className={className}>
      <VisuallyHidden>{t('loading', { what })}</VisuallyHidden>
      {children}
    </div>
  );
}
