import { randomUUID } from 'node:crypto';
import type { Presence } from './presence.ts';
import type { RedisLink } from './redis-link.ts';

/** Expired leases are ended so many at a time. */
const batch = 500;

/**
 * Presence for all nodes: a set of nodes for each person, and a lease for each person on a node, which the node
 * renews. Those of a node that crashed run out, and whichever node looks next ends them.
 */
export function createRedisPresence(
  { redis, prefix }: Pick<RedisLink, 'redis' | 'prefix'>,
  { leaseMs }: { leaseMs: number },
): Presence {
  const node = randomUUID();
  const leases = `${prefix}:presence:leases`;
  const nodesOf = (userId: number) => `${prefix}:presence:${userId}`;

  /** Answers the numbers that a pipeline's commands answered. */
  const numbers = async (pipeline: ReturnType<typeof redis.pipeline>): Promise<number[]> =>
    ((await pipeline.exec()) ?? []).map(([error, answer]) => {
      if (error) throw error;
      return Number(answer);
    });

  /** Ends one lease; answers whether there was one and it was the person's last. */
  const end = async (userId: number, holder: string): Promise<boolean> => {
    const [ended, , left] = await numbers(
      redis.multi().zrem(leases, `${userId} ${holder}`).srem(nodesOf(userId), holder).scard(nodesOf(userId)),
    );
    return ended === 1 && left === 0;
  };

  return {
    async arrive(userIds) {
      if (userIds.length === 0) return [];
      const until = Date.now() + leaseMs;
      const pipeline = redis.multi();
      for (const userId of userIds) {
        pipeline.zadd(leases, until, `${userId} ${node}`).sadd(nodesOf(userId), node).scard(nodesOf(userId));
      }
      const answers = await numbers(pipeline);
      return userIds.filter((_, index) => answers[3 * index + 1] === 1 && answers[3 * index + 2] === 1);
    },

    leave: (userId) => end(userId, node),

    async online(userIds) {
      if (userIds.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const userId of userIds) pipeline.exists(nodesOf(userId));
      const answers = await numbers(pipeline);
      return userIds.filter((_, index) => answers[index] === 1);
    },

    async expire() {
      const expired = await redis.zrangebyscore(leases, '-inf', Date.now(), 'LIMIT', 0, batch);
      const gone: number[] = [];
      for (const lease of expired) {
        const [userId = '', holder = ''] = lease.split(' ');
        if (await end(Number(userId), holder)) gone.push(Number(userId));
      }
      return gone;
    },
  };
}
