/** A line belongs to who joined. */
export const ownersOf = ({ userId }: { userId: number }): number[] => [userId];
