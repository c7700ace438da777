import type { Event } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { redisUrlSetting } from '@wayquest/platform/process';
import { createRateLimiter } from '@wayquest/platform/redis';
import {
  createFriendshipReplica,
  createUserReplica,
  type FriendshipReplica,
  type UserReplica,
} from '@wayquest/platform/replicas';
import {
  type Background,
  createService,
  defineService,
  type Service,
  type ServiceDeps,
  type ServiceParts,
} from '@wayquest/platform/service';
import { z } from 'zod';
import { type ClusterBus, createClusterBus } from './cluster-bus.ts';
import { createLeaderboard, type Leaderboard } from './leaderboard.ts';
import { realtimeMetrics } from './metrics.ts';
import { createOnlineLists } from './online-lists.ts';
import { createMemoryPresence, createRedisPresence } from './presence.ts';
import { createPresenceTracker, type PresenceTimes } from './presence-tracker.ts';
import { connectRedisAdapter } from './redis-adapter.ts';
import {
  attachSocketServer,
  createSessions,
  createSocketServer,
  drainConnections,
  localPeople,
  presentEvent,
  type SocketServer,
} from './socket-server.ts';
import { notifySubscribers, serveSockets } from './sockets.ts';

/** The service's own settings, beside the platform's. */
const settings = z.object({ REDIS_URL: redisUrlSetting });

type FriendEvent = 'friend.requested.v1' | 'friend.accepted.v1' | 'friend.removed.v1';

/**
 * Delivers each event to every node before it is acknowledged; a node ignores an event that it has delivered already.
 */
function consumers(
  cluster: ClusterBus,
  friendships: FriendshipReplica,
  users: UserReplica,
  leaderboard: Leaderboard,
): ServiceParts<'realtime'>['consumers'] {
  const deliverFriendRequest = async (
    { id, data, replayed }: Event<FriendEvent>,
    status: 'pending' | 'accepted' | 'removed',
  ): Promise<void> => {
    await cluster.broadcast({ type: 'friends', userIds: data.userIds });
    // Replayed for the replica only.
    if (replayed) return;
    await cluster.deliver({
      userIds: data.userIds,
      name: 'friendRequest',
      data: { ...data, status },
      key: id,
    });
  };

  const deliverPoints = async ({
    id,
    data: { userId, challengeId, awarded, points, pointsVersion },
  }: Pick<Event<'points.awarded.v1'>, 'id' | 'data'>): Promise<void> => {
    const data = { challengeId, awarded, points, pointsVersion };
    await cluster.deliver({ userIds: [userId], name: 'points', data, key: id });
    leaderboard.onPointsChanged();
  };

  return {
    'user.profile-changed.v1': async (event) => {
      await users.apply(event);
      await cluster.broadcast({ type: 'profile', userId: event.data.user.id });
    },
    'challenge.updated.v1': async ({ data, replayed }) => {
      if (!replayed) await cluster.broadcast({ type: 'challenge', challengeId: data.challenge.id });
    },
    'challenge.deleted.v1': ({ data }) =>
      cluster.broadcast({ type: 'challenge', challengeId: data.challengeId, deleted: true }),
    'friend.requested.v1': async (event) => {
      await friendships.applyRequested(event);
      await deliverFriendRequest(event, 'pending');
    },
    'friend.accepted.v1': async (event) => {
      await friendships.applyAccepted(event);
      await deliverFriendRequest(event, 'accepted');
    },
    'friend.removed.v1': async (event) => {
      await friendships.applyRemoved(event);
      await deliverFriendRequest(event, 'removed');
    },
    'conversation.created.v1': ({ id, data }) =>
      cluster.deliver({ userIds: [data.senderId, data.receiverId], name: 'conversation', data, key: id }),
    'message.sent.v1': ({ id, data: { message, receiverId } }) =>
      cluster.deliver({
        userIds: [message.sender, receiverId],
        name: 'getMessage',
        data: { ...message, senderId: message.sender, receiverId },
        key: id,
      }),
    'message.read.v1': ({ id, data: { conversationId, userId, otherId, messageId, shown } }) =>
      cluster.deliver({
        userIds: shown ? [userId, otherId] : [userId],
        name: 'read',
        data: { conversationId, userId, messageId },
        key: id,
      }),
    'notifications.changed.v1': ({ id, data: { userIds } }) =>
      cluster.deliver({ userIds, name: 'notifications', data: {}, key: id }),
    'points.awarded.v1': deliverPoints,
    'points.revoked.v1': ({ id, data }) => deliverPoints({ id, data: { ...data, awarded: 0 } }),
  };
}

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
        // They are deleted once all nodes know: a retry has to find them.
        const endedFriendships = await friendships.end(userId);
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
        await friendships.erase(userId);
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
