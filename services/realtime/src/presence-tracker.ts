import type { FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { Logger } from '@wayquest/platform/telemetry';
import type { ClusterBus } from './cluster-bus.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import type { OnlineLists } from './online-lists.ts';
import type { Presence } from './presence.ts';
import { localPeople, localTabs, type SocketServer } from './socket-server.ts';

export interface PresenceTimes {
  /** How long a crashed node's people still count as online. */
  leaseMs: number;
  /** How long a person without a tab still counts as online, so that a reload does not show. */
  graceMs: number;
}

/** How many people's friends are read at once when many come or go together, as after a crash of a node. */
const announcementsAtOnce = 50;

interface PresenceTrackerDeps {
  io: SocketServer;
  cluster: ClusterBus;
  presence: Presence;
  lists: OnlineLists;
  friendships: FriendshipReplica;
  users: Pick<UserReplica, 'privacyOf'>;
  logger: Logger;
  times: PresenceTimes;
}

/** Tracks the tabs on this node, and announces who comes online and goes offline to their friends. */
export interface PresenceTracker {
  /** A tab connected; resolves when the person's list of online friends is loaded. */
  onConnect(userId: number): Promise<void>;
  /** Applies the privacy settings of a person on this node. */
  refresh(userId: number): Promise<void>;
  /** A tab disconnected. */
  onDisconnect(userId: number): void;
  /** Renews the node's lease, and repeats what failed, such as loading a list while the store was away. */
  renew(): Promise<void>;
  start(): void;
  /** Marks everybody on this node as offline. */
  stop(): Promise<void>;
}

/** Creates the presence of the people whose sockets this node holds. */
export function createPresenceTracker({
  io,
  cluster,
  presence,
  lists,
  friendships,
  users,
  logger,
  times: { leaseMs, graceMs },
}: PresenceTrackerDeps): PresenceTracker {
  const warn = (error: unknown) => logger.warn({ err: error }, 'could not publish presence');
  const queues = createKeyedQueue<number>(warn);
  const offlineTimers = new Map<number, NodeJS.Timeout>();
  /** People on this node whose privacy settings show friends that they are online. */
  const visibleUsers = new Set<number>();
  /** People on this node whose privacy settings could not be read. */
  const staleUsers = new Set<number>();
  /** People whose friends could not be told that they came or went. */
  const unannounced = new Set<number>();
  let renewTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Tells a person's friends; what fails is repeated with the next renewal, as it is then. */
  const announce = async (userId: number, online: boolean): Promise<void> => {
    unannounced.delete(userId);
    try {
      const friendIds = await friendships.friendsOf(userId);
      await cluster.broadcast(friendIds.map((to) => ({ type: 'presence', to, userId, online })));
    } catch (error) {
      unannounced.add(userId);
      warn(error);
    }
  };

  const announceAll = async (userIds: number[], online: boolean): Promise<void> => {
    for (let start = 0; start < userIds.length; start += announcementsAtOnce)
      await Promise.all(
        userIds.slice(start, start + announcementsAtOnce).map((userId) => announce(userId, online)),
      );
  };

  const announceAgain = async (): Promise<void> => {
    const userIds = [...unannounced];
    const online = new Set(await presence.online(userIds));
    await announceAll([...online], true);
    await announceAll(
      userIds.filter((userId) => !online.has(userId)),
      false,
    );
  };

  const hide = async (userId: number): Promise<void> => {
    visibleUsers.delete(userId);
    if (await presence.setOffline(userId)) await announce(userId, false);
  };

  const leave = (userId: number): Promise<void> =>
    queues.add(userId, async () => {
      if (localTabs(io, userId) > 0) return;
      staleUsers.delete(userId);
      await hide(userId);
    });

  const refresh = (userId: number): Promise<void> =>
    queues.add(userId, async () => {
      if (localTabs(io, userId) === 0) return;
      staleUsers.add(userId);
      const isVisible = (await users.privacyOf(userId)).presence;
      staleUsers.delete(userId);
      if (!isVisible) return hide(userId);
      visibleUsers.add(userId);
      for (const arrived of await presence.setOnline([userId])) await announce(arrived, true);
    });

  /** Each step is for other people, so one that fails does not prevent the others. */
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      warn(error);
    }
  };

  const renew = async (): Promise<void> => {
    await attempt(async () => {
      const { cameOnline, wentOffline } = await presence.renew(() =>
        localPeople(io).filter((id) => visibleUsers.has(id)),
      );
      await announceAll(cameOnline, true);
      await announceAll(wentOffline, false);
    });
    await attempt(async () => announceAll(await presence.expire(), false));
    await attempt(announceAgain);
    for (const userId of [...staleUsers]) await refresh(userId);
    await lists.reloadStale();
  };

  return {
    async onConnect(userId: number): Promise<void> {
      clearTimeout(offlineTimers.get(userId));
      offlineTimers.delete(userId);
      if (localTabs(io, userId) > 1) return;
      void refresh(userId);
      await lists.add(userId);
    },

    refresh,

    onDisconnect(userId: number): void {
      if (localTabs(io, userId) > 0) return;
      lists.remove(userId);
      if (stopped) {
        void leave(userId);
        return;
      }
      clearTimeout(offlineTimers.get(userId));
      offlineTimers.set(
        userId,
        setTimeout(() => {
          offlineTimers.delete(userId);
          void leave(userId);
        }, graceMs),
      );
    },

    renew,

    start(): void {
      renewTimer = setInterval(() => void renew(), leaseMs / 3);
    },

    async stop(): Promise<void> {
      stopped = true;
      clearInterval(renewTimer);
      for (const [userId, timer] of offlineTimers) {
        clearTimeout(timer);
        void leave(userId);
      }
      offlineTimers.clear();
      await queues.onIdle();
    },
  };
}
