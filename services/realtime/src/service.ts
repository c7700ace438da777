import { limits } from '@wayquest/platform/core';
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
import { createClusterBus } from './cluster-bus.ts';
import { consumers } from './consumers.ts';
import { createLeaderboard } from './leaderboard.ts';
import { realtimeMetrics } from './metrics.ts';
import { createOnlineLists } from './online-lists.ts';
import { createMemoryPresence } from './presence.ts';
import { createPresenceTracker, type PresenceTimes } from './presence-tracker.ts';
import { connectRedisAdapter } from './redis-adapter.ts';
import { createRedisPresence } from './redis-presence.ts';
import { createSessions } from './sessions.ts';
import { settings } from './settings.ts';
import {
  attachSocketServer,
  createSocketServer,
  drainConnections,
  localPeople,
  presentEvent,
  type SocketServer,
} from './socket-server.ts';
import { serveSockets } from './sockets.ts';

export interface RealtimeTimes extends PresenceTimes {
  /** Over how many milliseconds the synchronization of clients is spread. */
  resyncSpreadMs: number;
  /** Over how many milliseconds a node that stops closes its connections. */
  drainMs: number;
}

export interface RealtimeDeps extends ServiceDeps {
  /** Connects several nodes; without it there is only this one. */
  redisUrl?: string | undefined;
  /** Prefix of keys and channels in Redis. */
  redisPrefix?: string;
  times?: Partial<RealtimeTimes>;
}

const defaultTimes: RealtimeTimes = {
  leaseMs: 30_000,
  graceMs: 3_000,
  resyncSpreadMs: 3_000,
  drainMs: 4_000,
};

/** Asks every client of this node to reload what it may have missed, at random times within `spreadMs` milliseconds. */
function resync(io: SocketServer, spreadMs: number): void {
  realtimeMetrics.resyncs.inc();
  for (const socket of io.sockets.sockets.values()) {
    setTimeout(() => socket.emit('resync', presentEvent('resync', {})), Math.random() * spreadMs);
  }
}

/** Creates one node of the realtime service. */
export const createRealtimeService = ({
  redisUrl,
  redisPrefix = 'wayquest',
  times: timesOverride,
  ...deps
}: RealtimeDeps): Service =>
  createService('realtime', deps, (kit) => {
    const { logger } = kit;
    const times = { ...defaultTimes, ...timesOverride };
    const io = createSocketServer();
    const adapter = redisUrl ? connectRedisAdapter(redisUrl, { logger, prefix: redisPrefix }) : undefined;

    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const users = createUserReplica(kit.connection, kit.clock);
    const presence = adapter
      ? createRedisPresence(adapter, { leaseMs: times.leaseMs, clock: kit.clock })
      : createMemoryPresence();
    const cluster = createClusterBus(io, adapter, logger);
    const lists = createOnlineLists({ io, friendships, presence, logger });
    const sessions = createSessions({ io, kit });
    const leaderboard = createLeaderboard(io, cluster, logger);
    const presenceTracker = createPresenceTracker({
      ...{ io, cluster, presence, lists, friendships, users, logger, times },
    });
    const limiter = createRateLimiter(limits.socketEvents);
    cluster.onMessage((message) => {
      if (message.type === 'presence') lists.change(message.change);
      else if (message.type === 'friends') void lists.refresh(message.userIds);
      else if (message.type === 'profile') void presenceTracker.refresh(message.userId);
      else if (message.type === 'leaderboard') leaderboard.onChanged();
      else if (message.type === 'challenge') notifySubscribers(io, message);
      else void sessions.recheck(message.userId);
    });
    serveSockets({ io, guard: kit.guard, cluster, lists, presenceTracker, limiter, logger });
    adapter?.onReconnect(async () => {
      logger.warn('Redis is available again: clients are asked to synchronize');
      resync(io, times.resyncSpreadMs);
      await presenceTracker.renew();
      await lists.refresh(localPeople(io));
    });

    let detach = () => {};
    const background: Background = {
      async start(server) {
        detach = attachSocketServer(io, server);
        presenceTracker.start();
        sessions.start();
      },
      async stop() {
        sessions.stop();
        leaderboard.stop();
        // A single node has no other to move clients to.
        if (adapter) await drainConnections(io, times.drainMs);
        detach();
        await presenceTracker.stop();
      },
      async close() {
        adapter?.close();
      },
      ready: () => adapter?.ready() ?? true,
    };
    return {
      routes: () => {},
      consumers: consumers(cluster, friendships, users, leaderboard),
      async erase(userId) {
        await users.erase(userId);
        const endedFriendships = await friendships.erase(userId);
        await cluster.broadcast({
          type: 'friends',
          userIds: endedFriendships.flatMap(({ userIds }) => userIds),
        });
        for (const friendship of endedFriendships)
          await cluster.deliver({
            userIds: friendship.userIds.filter((id) => id !== userId),
            name: 'friendRequest',
            data: { ...friendship, status: 'removed' },
            key: `erased-${friendship.requestId}`,
          });
      },
      pruneStale: {
        users: users.pruneStale,
        async friends(since) {
          await cluster.broadcast({ type: 'friends', userIds: await friendships.pruneStale(since) });
        },
      },
      onRevoked: ({ userId }) => cluster.broadcast({ type: 'token', userId }),
      background,
    };
  });

/** How the service is created from its settings. */
export const realtimeService = defineService({
  name: 'realtime',
  settings,
  calls: [],
  create: ({ REDIS_URL }, deps) =>
    createRealtimeService({ ...deps, redisUrl: REDIS_URL, redisPrefix: deps.databasePrefix }),
});
