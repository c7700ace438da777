/** One text everywhere, so that what is shown and what a screen reader says agree. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));
