/** As it is said everywhere, so that what is seen and what is heard agree. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));
