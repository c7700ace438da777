import { VisuallyHidden } from '@mantine/core';
import { countText } from '../lib/count-text.ts';
import classes from './CountBadge.module.css';

/** How many wait; nothing when none do. */
export function CountBadge({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      {countText(count)}
      <VisuallyHidden> {what}</VisuallyHidden>
    </span>
  );
}
