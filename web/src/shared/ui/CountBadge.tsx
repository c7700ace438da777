import { VisuallyHidden } from '@mantine/core';
import classes from './CountBadge.module.css';

/** As it is said everywhere, so that what is seen and what is heard agree. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));

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
