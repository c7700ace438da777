/** Who is online, on any node. */
export interface Presence {
  /** Adds people with tabs on this node; returns those who were offline before. */
  arrive(userIds: number[]): Promise<number[]>;
  /** Removes a person without tabs on this node; returns whether they are offline now. */
  leave(userId: number): Promise<boolean>;
  /** Returns who of these people is online. */
  online(userIds: number[]): Promise<number[]>;
  /** Renews this node's lease for exactly these people; returns who came online and who went offline by that. */
  renew(people: () => number[]): Promise<{ arrived: number[]; gone: number[] }>;
  /** Removes the people of crashed nodes; returns who went offline by that. */
  expire(): Promise<number[]>;
}

/** Presence for a single node. */
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
