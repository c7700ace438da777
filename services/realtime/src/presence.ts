import { randomUUID } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import type { RedisConnections } from './redis-connections.ts';

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

/** How many people of a crashed node are removed in one batch. */
const batch = 500;

/**
 * Presence of all nodes in Redis: the nodes of each person, the people of each node, and a lease for each node, which
 * one command renews. Any node removes the people of a node whose lease expired.
 */
export function createRedisPresence(
  { redis, prefix }: Pick<RedisConnections, 'redis' | 'prefix'>,
  { leaseMs, clock }: { leaseMs: number; clock: Clock },
): Presence {
  const leases = `${prefix}:presence:leases-of-nodes`;
  /** Nodes whose lease expired, while their people are removed. */
  const expiringNodes = `${prefix}:presence:ending`;
  const peopleOf = (name: string) => `${prefix}:presence:node:${name}`;
  const nodesOf = (userId: number) => `${prefix}:presence:person:${userId}`;

  let node = randomUUID();
  let isLeased = false;
  /** Whether Redis may have other people for this node than it should. */
  let needsReconciliation = false;

  /** Executes a pipeline; returns its results as numbers. */
  const numbers = async (pipeline: ReturnType<typeof redis.pipeline>): Promise<number[]> => {
    try {
      return ((await pipeline.exec()) ?? []).map(([error, reply]) => {
        if (error) throw error;
        return Number(reply);
      });
    } catch (error) {
      needsReconciliation = true;
      throw error;
    }
  };

  /** Removes people from a node; returns those who are on no other node. */
  const removePeople = async (userIds: number[], name: string): Promise<number[]> => {
    if (userIds.length === 0) return [];
    const pipeline = redis.multi();
    for (const userId of userIds)
      pipeline.srem(peopleOf(name), userId).srem(nodesOf(userId), name).scard(nodesOf(userId));
    const replies = await numbers(pipeline);
    return userIds.filter((_, index) => replies[3 * index] === 1 && replies[3 * index + 2] === 0);
  };

  const setOnline = async (userIds: number[]): Promise<number[]> => {
    if (userIds.length === 0) return [];
    const pipeline = redis.multi();
    for (const userId of userIds)
      pipeline.sadd(peopleOf(node), userId).sadd(nodesOf(userId), node).scard(nodesOf(userId));
    if (!isLeased) pipeline.zadd(leases, clock.now() + leaseMs, node);
    const replies = await numbers(pipeline);
    isLeased = true;
    return userIds.filter((_, index) => replies[3 * index + 1] === 1 && replies[3 * index + 2] === 1);
  };

  /**
   * Returns whether the lease still existed. ZADD's count of changes would not show it: it is 0, too, if a lease is
   * extended twice within a millisecond.
   */
  const extendLease = async (): Promise<boolean> => {
    const [end] =
      (await redis
        .multi()
        .zscore(leases, node)
        .zadd(leases, 'XX', clock.now() + leaseMs, node)
        .exec()) ?? [];
    if (!end || end[0]) throw end?.[0] ?? new Error('Redis did not run the transaction');
    return end[1] !== null;
  };

  /** Takes a new name, so that removing the people of the old one does not affect current ones. */
  const renewNodeId = async (): Promise<void> => {
    await redis.zadd(expiringNodes, clock.now(), node);
    node = randomUUID();
    await redis.zadd(leases, clock.now() + leaseMs, node);
    needsReconciliation = true;
  };

  return {
    setOnline,

    setOffline: async (userId) => (await removePeople([userId], node)).length > 0,

    async online(userIds) {
      if (userIds.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const userId of userIds) pipeline.exists(nodesOf(userId));
      const replies = await numbers(pipeline);
      return userIds.filter((_, index) => replies[index] === 1);
    },

    async renew(people) {
      if (isLeased && !(await extendLease())) await renewNodeId();
      if (!needsReconciliation) return { cameOnline: [], wentOffline: [] };
      const registered = (await redis.smembers(peopleOf(node))).map(Number);
      const connected = people();
      const [registeredSet, connectedSet] = [new Set(registered), new Set(connected)];
      const unregistered = connected.filter((userId) => !registeredSet.has(userId));
      const disconnected = registered.filter((userId) => !connectedSet.has(userId));
      const cameOnline = await setOnline(unregistered);
      const wentOffline = await removePeople(disconnected, node);
      // People may have arrived or left concurrently: it is consistent once nothing differs.
      needsReconciliation = unregistered.length + disconnected.length > 0;
      return { cameOnline, wentOffline };
    },

    async expire() {
      const now = clock.now();
      for (const name of await redis.zrangebyscore(leases, '-inf', String(now)))
        await numbers(redis.multi().zadd(expiringNodes, now, name).zrem(leases, name));
      const gone: number[] = [];
      for (const name of await redis.zrange(expiringNodes, '0', '-1')) {
        let people: number[];
        do {
          people = (await redis.srandmember(peopleOf(name), batch)).map(Number);
          gone.push(...(await removePeople(people, name)));
        } while (people.length === batch);
        await redis.zrem(expiringNodes, name);
      }
      return gone;
    },
  };
}
