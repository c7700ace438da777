/** A challenge belongs to who made it. */
export const ownersOf = ({ creator }: { creator: { id: number } }): number[] => [creator.id];
