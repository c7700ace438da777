import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Pending } from '../../../shared/ui/Pending.tsx';
import classes from './CardGrid.module.css';

export function CardGrid({ label, children }: { label: string; children: ReactNode[] }) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {children}
    </ul>
  );
}

export function CardGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Pending className={classes.grid}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <Skeleton key={place} className={classes.waiting ?? ''} radius="lg" />
      ))}
    </Pending>
  );
}
