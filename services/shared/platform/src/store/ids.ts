/** The key of two accounts, the same in either order. */
export const pairKey = (one: number, other: number): string =>
  `${Math.min(one, other)}:${Math.max(one, other)}`;
