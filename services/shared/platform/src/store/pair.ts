/** The key of two people, whoever comes first. */
export const pairOf = (one: number, other: number): string =>
  `${Math.min(one, other)}:${Math.max(one, other)}`;
