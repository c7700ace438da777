import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** Placeholders for what is on its way, and a word about it for who cannot see them. */
export function Pending({
  what,
  children,
  className,
}: {
  what: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div aria-busy="true" className={className}>
      <VisuallyHidden>Loading {what}</VisuallyHidden>
      {children}
    </div>
  );
}
