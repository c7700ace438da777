/** Key of a pair of accounts, independent of their order. */
export const pairKey = (one: number, other: number): string =>
  `${Math.min(one, other)}:${Math.max(one, other)}`;
