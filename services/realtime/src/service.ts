import { createRateLimiter } from '@wayquest/platform/redis';
import { createFriendshipReplica, createUserReplica } from '@wayquest/platform/replicas';
import {
  type Background,
  createService,
  defineService,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { notifySubscribers } from './challenge-subscriptions.ts';
import { createNodes } from './cluster-bus.ts';
import { consumers } from './consumers.ts';
import { createLeaderboard } from './leaderboard.ts';
import { createOnlineLists } from './online-lists.ts';
import { createMemoryPresence } from './presence.ts';
import { type AttendanceTimes, createPresenceTracker } from './presence-tracker.ts';
import { connectRedisLink } from './redis-link.ts';
import { createRedisPresence } from './redis-presence.ts';
import { resync } from './resync.ts';
import { createSessions } from './sessions.ts';
import { settings } from './settings.ts';
import { attach, createSocketServer, localPeople, sendAway } from './socket-server.ts';
import { serveSockets } from './sockets.ts';

export interface RealtimeTimes extends AttendanceTimes {
  /** Over how long clients that are to ask again are spread. */
  resyncSpreadMs: number;
  /** Over how long a node that stops sends its people to the others. */
  drainMs: number;
}

export interface RealtimeDeps extends ServiceDeps {
  /** Ties several nodes together; without it this one is alone. */
  redisUrl?: string | undefined;
  /** Before the names of keys and channels in Redis. */
  redisPrefix?: string;
  times?: Partial<RealtimeTimes>;
}

const defaultTimes: RealtimeTimes = {
  leaseMs: 30_000,
  graceMs: 3_000,
  resyncSpreadMs: 3_000,
  drainMs: 4_000,
};

/** What one person's sockets may send. */
const eventLimit = { points: 100, seconds: 10 };

/** One node of the realtime service as a value. */
export const createRealtimeService = ({
  redisUrl,
  redisPrefix = 'wayquest',
  times: givenTimes,
  ...deps
}: RealtimeDeps): Service =>
  createService('realtime', deps, (kit) => {
    const { logger } = kit;
    const times = { ...defaultTimes, ...givenTimes };
    const io = createSocketServer();
    const link = redisUrl ? connectRedisLink(redisUrl, { logger, prefix: redisPrefix }) : undefined;

    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const users = createUserReplica(kit.connection, kit.clock);
    const presence = link
      ? createRedisPresence(link, { leaseMs: times.leaseMs, clock: kit.clock })
      : createMemoryPresence();
    const nodes = createNodes(io, link, logger);
    const lists = createOnlineLists({ io, friendships, presence, logger });
    const sessions = createSessions({ io, kit });
    const leaderboard = createLeaderboard(io, nodes, logger);
    const attendance = createPresenceTracker({
      ...{ io, nodes, presence, lists, friendships, users, logger, times },
    });
    const limiter = createRateLimiter({
      name: 'socket-events',
      problem: 'too-many-requests',
      ...eventLimit,
    });
    nodes.onWord((word) => {
      if (word.about === 'presence') lists.change(word.change);
      else if (word.about === 'friends') void lists.refresh(word.userIds);
      else if (word.about === 'profile') void attendance.look(word.userId);
      else if (word.about === 'leaderboard') leaderboard.moved();
      else if (word.about === 'challenge') notifySubscribers(io, word.challengeId);
      else void sessions.recheck(word.userId);
    });
    serveSockets({ io, guard: kit.guard, nodes, lists, attendance, limiter, logger });
    link?.onReturn(async () => {
      logger.warn('Redis is available again: clients are asked to synchronize');
      resync(io, times.resyncSpreadMs);
      await attendance.renew();
      await lists.refresh(localPeople(io));
    });

    let detach = () => {};
    const background: Background = {
      async start(server) {
        detach = attach(io, server);
        attendance.start();
        sessions.start();
      },
      async stop() {
        sessions.stop();
        leaderboard.stop();
        // Alone there is nowhere to go.
        if (link) await sendAway(io, times.drainMs);
        detach();
        await attendance.stop();
      },
      async close() {
        link?.close();
      },
      ready: () => link?.ready() ?? true,
    };
    return {
      routes: () => {},
      consumers: consumers(nodes, friendships, users, leaderboard),
      async erase(userId) {
        await users.erase(userId);
        const between = await friendships.erase(userId);
        await nodes.tell({ about: 'friends', userIds: between.flatMap(({ userIds }) => userIds) });
        for (const friendship of between)
          await nodes.deliver({
            userIds: friendship.userIds.filter((id) => id !== userId),
            name: 'friendRequest',
            data: { ...friendship, status: 'removed' },
            key: `erased-${friendship.requestId}`,
          });
      },
      pruneStale: {
        users: users.pruneStale,
        async friends(since) {
          await nodes.tell({ about: 'friends', userIds: await friendships.pruneStale(since) });
        },
      },
      revoked: ({ userId }) => nodes.tell({ about: 'token', userId }),
      background,
    };
  });

/** As it is run, alone or with the others. */
export const realtimeService = defineService({
  name: 'realtime',
  settings,
  calls: [],
  create: ({ REDIS_URL }, deps) =>
    createRealtimeService({ ...deps, redisUrl: REDIS_URL, redisPrefix: deps.databasePrefix }),
});
