/** Who is online, on whichever node. */
export interface Presence {
  /** This node has tabs of these people; answers who of them was not online before. */
  arrive(userIds: number[]): Promise<number[]>;
  /** This node has no tab of theirs any more; answers whether that made them go offline. */
  leave(userId: number): Promise<boolean>;
  /** Who of these people is online. */
  online(userIds: number[]): Promise<number[]>;
  /** This node is there still, with these people and no others; answers who came and who went by that. */
  renew(people: () => number[]): Promise<{ arrived: number[]; gone: number[] }>;
  /** Ends what crashed nodes held; answers who went offline by it. */
  expire(): Promise<number[]>;
}

/** For one node alone. */
export function createMemoryPresence(): Presence {
  const present = new Set<number>();
  return {
    async arrive(userIds) {
      const arrived = userIds.filter((userId) => !present.has(userId));
      for (const userId of arrived) present.add(userId);
      return arrived;
    },
    leave: async (userId) => present.delete(userId),
    online: async (userIds) => userIds.filter((userId) => present.has(userId)),
    renew: async () => ({ arrived: [], gone: [] }),
    expire: async () => [],
  };
}
