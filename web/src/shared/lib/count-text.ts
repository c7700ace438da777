/** The same text everywhere, so that the display and screen readers agree. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));
