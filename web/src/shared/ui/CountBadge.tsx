import { VisuallyHidden } from '@mantine/core';
import classes from './CountBadge.module.css';

/** How many wait; nothing when none do. */
export function CountBadge({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {what}</VisuallyHidden>
    </span>
  );
}
