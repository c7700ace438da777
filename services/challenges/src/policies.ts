/** A challenge belongs to its creator. */
export const ownersOf = ({ creator }: { creator: { id: number } }): number[] => [creator.id];
