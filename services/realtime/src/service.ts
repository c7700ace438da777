import type { Event, ServerEventData } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
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
import { redisUrlSetting } from '@wayquest/platform/settings';
import { z } from 'zod';
import { type ClusterBus, createClusterBus, type NodeMessage } from './cluster-bus.ts';
import { createLeaderboard, type Leaderboard } from './leaderboard.ts';
import { realtimeMetrics } from './metrics.ts';
import { createOnlineLists } from './online-lists.ts';
import { createMemoryPresence, createRedisPresence } from './presence.ts';
import { createPresenceTracker, type PresenceTimes } from './presence-tracker.ts';
import { openRedisConnections } from './redis-connections.ts';
import { challengeRoom, userRoom } from './rooms.ts';
import {
  attachSocketServer,
  createSessions,
  createSocketServer,
  drainConnections,
  localPeople,
  presentEvent,
  type SocketServer,
} from './socket-server.ts';
import { serveSockets } from './sockets.ts';

/** The service's own settings, beside the platform's. */
const settings = z.object({ REDIS_URL: redisUrlSetting });

const friendsChanged = (userIds: number[]): NodeMessage[] => userIds.map((to) => ({ type: 'friends', to }));

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
    await cluster.broadcast(friendsChanged(data.userIds));
    // Replayed for the replica only.
    if (replayed) return;
    await cluster.deliver({
      rooms: data.userIds.map(userRoom),
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
    await cluster.deliver({ rooms: [userRoom(userId)], name: 'points', data, key: id });
    leaderboard.onPointsChanged();
  };

  const deliverChallenge = (key: string, data: ServerEventData<'challenge'>): Promise<void> =>
    cluster.deliver({ rooms: [challengeRoom(data.challengeId)], name: 'challenge', data, key });

  return {
    'user.profile-changed.v1': async (event) => {
      await users.apply(event);
      await cluster.broadcast([{ type: 'profile', to: event.data.user.id }]);
    },
    'challenge.updated.v1': async ({ id, data: { challenge }, replayed }) => {
      if (!replayed) await deliverChallenge(id, { challengeId: challenge.id });
    },
    'challenge.deleted.v1': ({ id, data: { challengeId } }) =>
      deliverChallenge(id, { challengeId, deleted: true }),
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
      cluster.deliver({
        rooms: [data.senderId, data.receiverId].map(userRoom),
        name: 'conversation',
        data,
        key: id,
      }),
    'message.sent.v1': ({ id, data: { message, receiverId } }) =>
      cluster.deliver({
        rooms: [message.sender, receiverId].map(userRoom),
        name: 'getMessage',
        data: { ...message, senderId: message.sender, receiverId },
        key: id,
      }),
    'message.deleted.v1': ({ id, data: { conversationId, messageId, sender, receiverId } }) =>
      cluster.deliver({
        rooms: [sender, receiverId].map(userRoom),
        name: 'messageDeleted',
        data: { conversationId, messageId },
        key: id,
      }),
    'message.read.v1': ({ id, data: { conversationId, userId, otherId, messageId, shown } }) =>
      cluster.deliver({
        rooms: (shown ? [userId, otherId] : [userId]).map(userRoom),
        name: 'read',
        data: { conversationId, userId, messageId },
        key: id,
      }),
    'notifications.changed.v1': ({ id, data: { userIds } }) =>
      cluster.deliver({ rooms: userIds.map(userRoom), name: 'notifications', data: {}, key: id }),
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
    const connections = redisUrl
      ? openRedisConnections(redisUrl, { logger, prefix: redisPrefix })
      : undefined;

    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const users = createUserReplica(kit.connection, kit.clock);
    const presence = connections
      ? createRedisPresence(connections, { leaseMs: times.leaseMs, clock: kit.clock })
      : createMemoryPresence();
    const cluster = createClusterBus(io, connections, logger);
    const lists = createOnlineLists({ io, friendships, presence, logger });
    const sessions = createSessions({ io, kit });
    const leaderboard = createLeaderboard(io, cluster, logger);
    const presenceTracker = createPresenceTracker({
      ...{ io, cluster, presence, lists, friendships, users, logger, times },
    });
    const limiter = createRateLimiter(limits.socketEvents);
    cluster.onMessage((message) => {
      if (message.type === 'presence') lists.change(message.to, message);
      else if (message.type === 'friends') void lists.refresh([message.to]);
      else if (message.type === 'profile') void presenceTracker.refresh(message.to);
      else if (message.type === 'leaderboard') leaderboard.onChanged();
      else void sessions.recheck(message.userId);
    });
    serveSockets({ io, guard: kit.guard, cluster, lists, presenceTracker, limiter, logger });
    connections?.onReconnect(async () => {
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
        if (connections) await drainConnections(io, times.drainMs);
        detach();
        await presenceTracker.stop();
      },
      async close() {
        connections?.close();
      },
      ready: () => connections?.ready() ?? true,
    };
    return {
      routes: () => {},
      consumers: consumers(cluster, friendships, users, leaderboard),
      async erase(userId) {
        await users.erase(userId);
        // They are deleted once all nodes know: a retry has to find them.
        const endedFriendships = await friendships.end(userId);
        await cluster.broadcast(friendsChanged(endedFriendships.flatMap(({ userIds }) => userIds)));
        for (const friendship of endedFriendships)
          await cluster.deliver({
            rooms: friendship.userIds.filter((id) => id !== userId).map(userRoom),
            name: 'friendRequest',
            data: { ...friendship, status: 'removed' },
            key: `erased-${friendship.requestId}`,
          });
        await friendships.erase(userId);
      },
      pruneStale: {
        users: users.pruneStale,
        async friends(since) {
          await cluster.broadcast(friendsChanged(await friendships.pruneStale(since)));
        },
      },
      onRevoked: ({ userId }) => cluster.broadcast([{ type: 'token', userId }]),
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
