import { randomUUID } from 'node:crypto';
import type { Clock } from '@wayquest/platform/process';
import type { Presence } from './presence.ts';
import type { RedisAdapter } from './redis-adapter.ts';

/** How many people of a crashed node are removed in one batch. */
const batch = 500;

/**
 * Presence of all nodes in Redis: the nodes of each person, the people of each node, and a lease for each node, which
 * one command renews. Any node removes the people of a node whose lease expired.
 */
export function createRedisPresence(
  { redis, prefix }: Pick<RedisAdapter, 'redis' | 'prefix'>,
  { leaseMs, clock }: { leaseMs: number; clock: Clock },
): Presence {
  const leases = `${prefix}:presence:leases-of-nodes`;
  /** Nodes whose lease expired, while their people are removed. */
  const ending = `${prefix}:presence:ending`;
  const peopleOf = (name: string) => `${prefix}:presence:node:${name}`;
  const nodesOf = (userId: number) => `${prefix}:presence:person:${userId}`;

  let node = randomUUID();
  let isLeased = false;
  /** Whether Redis may have other people for this node than it should. */
  let isUnsure = false;

  /** Executes a pipeline; returns its results as numbers. */
  const numbers = async (pipeline: ReturnType<typeof redis.pipeline>): Promise<number[]> => {
    try {
      return ((await pipeline.exec()) ?? []).map(([error, reply]) => {
        if (error) throw error;
        return Number(reply);
      });
    } catch (error) {
      isUnsure = true;
      throw error;
    }
  };

  /** Removes people from a node; returns those who are on no other node. */
  const end = async (userIds: number[], name: string): Promise<number[]> => {
    if (userIds.length === 0) return [];
    const pipeline = redis.multi();
    for (const userId of userIds)
      pipeline.srem(peopleOf(name), userId).srem(nodesOf(userId), name).scard(nodesOf(userId));
    const replies = await numbers(pipeline);
    return userIds.filter((_, index) => replies[3 * index] === 1 && replies[3 * index + 2] === 0);
  };

  const arrive = async (userIds: number[]): Promise<number[]> => {
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
  const takeNewName = async (): Promise<void> => {
    await redis.zadd(ending, clock.now(), node);
    node = randomUUID();
    await redis.zadd(leases, clock.now() + leaseMs, node);
    isUnsure = true;
  };

  return {
    arrive,

    leave: async (userId) => (await end([userId], node)).length > 0,

    async online(userIds) {
      if (userIds.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const userId of userIds) pipeline.exists(nodesOf(userId));
      const replies = await numbers(pipeline);
      return userIds.filter((_, index) => replies[index] === 1);
    },

    async renew(people) {
      if (isLeased && !(await extendLease())) await takeNewName();
      if (!isUnsure) return { arrived: [], gone: [] };
      const entered = (await redis.smembers(peopleOf(node))).map(Number);
      const here = people();
      const [isEntered, isHere] = [new Set(entered), new Set(here)];
      const missing = here.filter((userId) => !isEntered.has(userId));
      const left = entered.filter((userId) => !isHere.has(userId));
      const arrived = await arrive(missing);
      const gone = await end(left, node);
      // People may have arrived or left concurrently: it is consistent once nothing differs.
      isUnsure = missing.length + left.length > 0;
      return { arrived, gone };
    },

    async expire() {
      const now = clock.now();
      for (const name of await redis.zrangebyscore(leases, '-inf', String(now)))
        await numbers(redis.multi().zadd(ending, now, name).zrem(leases, name));
      const gone: number[] = [];
      for (const name of await redis.zrange(ending, '0', '-1')) {
        const people = (await redis.srandmember(peopleOf(name), batch)).map(Number);
        gone.push(...(await end(people, name)));
        if (people.length < batch) await redis.zrem(ending, name);
      }
      return gone;
    },
  };
}
