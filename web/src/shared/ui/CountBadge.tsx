import { VisuallyHidden } from '@mantine/core';
import { countText } from '../lib/unread-notifications.ts';
import classes from './CountBadge.module.css';

/** A count; nothing for zero. */
export function CountBadge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden>{countText(count)}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
