/** A participation belongs to the user who joined. */
export const ownersOf = ({ userId }: { userId: number }): number[] => [userId];
