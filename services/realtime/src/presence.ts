/** Who is online, on any node. */
export interface Presence {
  /** Adds people with tabs on this node; returns those who were offline before. */
  setOnline(userIds: number[]): Promise<number[]>;
  /** Removes a person without tabs on this node; returns whether they are offline now. */
  setOffline(userId: number): Promise<boolean>;
  /** Returns who of these people is online. */
  online(userIds: number[]): Promise<number[]>;
  /** Renews this node's lease for exactly these people; returns who came online and who went offline by that. */
  renew(people: () => number[]): Promise<{ cameOnline: number[]; wentOffline: number[] }>;
  /** Removes the people of crashed nodes; returns who went offline by that. */
  expire(): Promise<number[]>;
}

/** Presence for a single node. */
export function createMemoryPresence(): Presence {
  const onlineUsers = new Set<number>();
  return {
    async setOnline(userIds) {
      const arrived = userIds.filter((userId) => !onlineUsers.has(userId));
      for (const userId of arrived) onlineUsers.add(userId);
      return arrived;
    },
    setOffline: async (userId) => onlineUsers.delete(userId),
    online: async (userIds) => userIds.filter((userId) => onlineUsers.has(userId)),
    renew: async () => ({ cameOnline: [], wentOffline: [] }),
    expire: async () => [],
  };
}
