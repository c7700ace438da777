import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { Logger } from '@wayquest/platform/telemetry';
import { createKeyedQueue } from './keyed-queue.ts';
import type { Presence } from './presence.ts';
import { userRoom } from './rooms.ts';
import { type ClientPayload, presentEvent, type SocketServer } from './socket-server.ts';

/** A person came online or went offline. */
interface PresenceChange {
  userId: number;
  online: boolean;
}

/** The list of a person on this node. */
interface OnlineList {
  friends: Set<number>;
  online: Set<number>;
  /** Changes that arrived while the list was loading. */
  pendingChanges: PresenceChange[] | undefined;
  /** Whether it has to be loaded (again), since that has failed or not ended yet. */
  isStale: boolean;
}

/** Changes within this time are sent as one `getUsers`. */
const debounceMs = 50;

interface OnlineListsDeps {
  io: SocketServer;
  friendships: FriendshipReplica;
  presence: Presence;
  logger: Logger;
}

/** The online friends of each person on this node: loaded once, then updated by messages of the cluster. */
export interface OnlineLists {
  /** Adds a person to this node; resolves when their list is loaded. */
  add(userId: number): Promise<void>;
  remove(userId: number): void;
  /** Applies a change to the list of one of that person's friends. */
  change(friendId: number, change: PresenceChange): void;
  /** Reloads the lists of those of these people who are on this node. */
  refresh(userIds: number[]): Promise<void>;
  /** Loads those lists again that could not be loaded. */
  reloadStale(): Promise<void>;
  /** The whole list as an event. */
  payload(userId: number): ClientPayload;
  /** Rejects if the list could not be loaded. */
  areFriends(userId: number, otherId: number): Promise<boolean>;
}

/** Creates the lists of online friends that sockets receive. */
export function createOnlineLists({ io, friendships, presence, logger }: OnlineListsDeps): OnlineLists {
  const lists = new Map<number, OnlineList>();
  const scheduledUsers = new Set<number>();
  const loadQueue = createKeyedQueue<number>((error) =>
    logger.warn({ err: error }, 'could not load a list of friends'),
  );

  const payload = (userId: number) =>
    presentEvent(
      'getUsers',
      [...(lists.get(userId)?.online ?? [])].map((friendId) => ({ userId: friendId })),
    );

  const scheduleEmit = (userId: number): void => {
    if (scheduledUsers.has(userId)) return;
    scheduledUsers.add(userId);
    setTimeout(() => {
      scheduledUsers.delete(userId);
      if (lists.has(userId)) io.local.to(userRoom(userId)).emit('getUsers', payload(userId));
    }, debounceMs);
  };

  const apply = ({ friends, online }: OnlineList, { userId, online: isOnline }: PresenceChange): boolean => {
    if (!friends.has(userId) || online.has(userId) === isOnline) return false;
    if (isOnline) online.add(userId);
    else online.delete(userId);
    return true;
  };

  const load = async (userId: number): Promise<void> => {
    const list = lists.get(userId);
    if (!list) return;
    list.isStale = true;
    list.pendingChanges = [];
    try {
      const friends = await friendships.friendsOf(userId);
      list.online = new Set(await presence.online(friends));
      list.friends = new Set(friends);
      for (const change of list.pendingChanges) apply(list, change);
      list.isStale = false;
    } finally {
      list.pendingChanges = undefined;
    }
    scheduleEmit(userId);
  };

  const enqueueLoad = (userId: number): Promise<void> => loadQueue.add(userId, () => load(userId));

  return {
    async add(userId: number): Promise<void> {
      if (!lists.has(userId))
        lists.set(userId, {
          friends: new Set(),
          online: new Set(),
          pendingChanges: undefined,
          isStale: true,
        });
      await enqueueLoad(userId);
    },

    remove(userId: number): void {
      lists.delete(userId);
    },

    change(friendId: number, change: PresenceChange): void {
      const list = lists.get(friendId);
      if (!list) return;
      list.pendingChanges?.push(change);
      if (apply(list, change)) scheduleEmit(friendId);
    },

    async refresh(userIds: number[]): Promise<void> {
      for (const userId of userIds) if (lists.has(userId)) await enqueueLoad(userId);
    },

    async reloadStale(): Promise<void> {
      for (const [userId, { isStale }] of lists) if (isStale) await enqueueLoad(userId);
    },

    payload,

    async areFriends(userId: number, otherId: number): Promise<boolean> {
      if (lists.get(userId)?.isStale)
        await loadQueue.run(userId, async () => {
          if (lists.get(userId)?.isStale) await load(userId);
        });
      return lists.get(userId)?.friends.has(otherId) ?? false;
    },
  };
}
