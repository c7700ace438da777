import type { EventData, FriendRequest, OperationRequest, Operations } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, pairKey, retryOnConflict } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { QueryFilter } from 'mongoose';
import type { Blocks } from './blocks.ts';
import {
  acceptersOf,
  type FriendRequestDocument,
  friendRequestModel,
  presentFriendRequest,
  type StoredRequest,
} from './friend-request.model.ts';
import type { People } from './people.ts';
import type { RequestCooldowns } from './request-cooldowns.ts';

type RequestQuery = OperationRequest<Operations['listFriendRequests']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 500;

const friendshipOf = ({ _id, userId, friendId }: StoredRequest): EventData<'friend.accepted.v1'> => ({
  requestId: _id,
  userIds: [userId, friendId],
});

/** The operations on friend requests. */
export interface Friends {
  /** Throws `friend-request-not-found`. */
  find(id: number): Promise<StoredRequest>;
  /** Ends friendship and requests of two people of whom one has blocked the other. */
  endBetween(one: number, other: number): Promise<void>;
  /** The caller's requests, newest first. */
  list(query: RequestQuery, caller: Caller): Promise<FriendRequest[]>;
  /**
   * Sends a request. Returns an existing request of the caller, and accepts one of the other person, also if both are sent
   * concurrently: the pair is unique. Throws `invalid-request`, `user-not-found`, `friend-requests-disabled`,
   * `too-many-requests` and `daily-limit-reached`.
   */
  request(friendId: number, caller: Caller): Promise<{ request: FriendRequest; isNew: boolean }>;
  /** A repeat returns the same. Throws `friend-request-not-found`. */
  accept(request: StoredRequest, caller: Caller): Promise<FriendRequest>;
  /** The snapshot: all requests as events, in the order of ids. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  /** Deletes a user's requests and friendships; other services erase theirs by the event of the deletion. */
  erase(userId: number): Promise<void>;
  /**
   * Cancels or declines a request, or ends a friendship. After a declined request the sender cannot send another for a
   * week.
   */
  remove(request: StoredRequest, caller: Caller): Promise<void>;
}

/** Creates the store of friend requests and friendships; every change publishes an event. */
export function createFriends({
  kit: { connection, clock, ids, outboxes, erasedUsers, weightOf },
  people,
  requestLimiter,
  dailyLimiter,
  cooldowns,
  blocks,
}: {
  kit: ServiceKit;
  people: People;
  /** Limit of calls. */
  requestLimiter: RateLimiter;
  /** Limit of people who get a new request. */
  dailyLimiter: RateLimiter;
  cooldowns: RequestCooldowns;
  blocks: Blocks;
}): Friends {
  const Requests = friendRequestModel(connection);
  const outbox = outboxes.forModel(Requests);

  /** Requests with both people; those with somebody unknown to the replica are omitted. */
  const present = async (requests: StoredRequest[], { id: callerId }: Caller): Promise<FriendRequest[]> => {
    const users = await people.byIds(requests.flatMap(({ userId, friendId }) => [userId, friendId]));
    return requests.flatMap((request) => presentFriendRequest(request, users, callerId) ?? []);
  };

  const presentOne = async (request: StoredRequest, caller: Caller): Promise<FriendRequest> => {
    const [presented] = await present([request], caller);
    if (!presented) throw new Problem('user-not-found');
    return presented;
  };

  const find = async (id: number): Promise<StoredRequest> => {
    const request = await Requests.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
    if (!request) throw new Problem('friend-request-not-found');
    return request;
  };

  const insert = async (userId: number, friendId: number): Promise<StoredRequest | undefined> => {
    const request: StoredRequest = {
      _id: await ids.next('friend-request'),
      pair: pairKey(userId, friendId),
      userId,
      friendId,
      status: 'pending',
      createdAt: new Date(clock.now()),
    };
    const events = [newEvent('friend.requested.v1', friendshipOf(request), clock)];
    try {
      await outbox.create(request, events);
    } catch (error) {
      if (isWriteConflict(error)) return undefined;
      throw error;
    }
    return request;
  };

  /** Undefined if the request was deleted meanwhile; an accepted one stays accepted. */
  const setAccepted = async (request: StoredRequest): Promise<StoredRequest | undefined> => {
    const events = [newEvent('friend.accepted.v1', friendshipOf(request), clock)];
    const after = await Requests.findOneAndUpdate(
      { _id: request._id, status: 'pending', deletedAt: null },
      withEvents({ $set: { status: 'accepted' } }, events, clock),
      { returnDocument: 'after', projection: { outbox: 0 } },
    ).lean();
    if (after) outbox.send(request._id);
    return (
      after ??
      (await Requests.findOne({ _id: request._id, deletedAt: null }, { outbox: 0 }).lean()) ??
      undefined
    );
  };

  const removeRequest = async (request: StoredRequest): Promise<void> => {
    const events = [newEvent('friend.removed.v1', friendshipOf(request), clock)];
    const found = await Requests.findOneAndUpdate(
      { _id: request._id, deletedAt: null },
      withEvents({ $set: { deletedAt: new Date(clock.now()) }, $unset: { pair: 1 } }, events, clock),
    ).lean();
    if (found) outbox.send(request._id);
  };

  const endBetween = async (one: number, other: number): Promise<void> => {
    const request = await Requests.findOne(
      { pair: pairKey(one, other), deletedAt: null },
      { outbox: 0 },
    ).lean();
    if (request) await removeRequest(request);
  };

  /** Undoes a friendship with somebody who was blocked or deleted meanwhile. Throws `user-not-found`. */
  const requireNoBlock = async ({ userId, friendId }: Pick<StoredRequest, 'userId' | 'friendId'>) => {
    const isUnavailable = (await blocks.between(userId, friendId)) || (await erasedUsers.has(friendId));
    if (!isUnavailable) return;
    await endBetween(userId, friendId);
    throw new Problem('user-not-found');
  };

  return {
    find,
    endBetween,

    async list(
      { status, with: other, cursor, limit = defaultLimit }: RequestQuery,
      caller: Caller,
    ): Promise<FriendRequest[]> {
      const page = cursor ? { _id: { $lt: Number(cursor) || 0 } } : {};
      const newest = (filter: QueryFilter<FriendRequestDocument>) =>
        Requests.find({ ...filter, ...page, ...(status && { status }), deletedAt: null }, { outbox: 0 })
          .sort({ _id: -1 })
          .limit(limit)
          .lean();
      if (other) return present(await newest({ pair: pairKey(caller.id, other) }), caller);
      // Each by its own index, in order; one query for both would sort all of the person's requests.
      const found = await Promise.all([newest({ userId: caller.id }), newest({ friendId: caller.id })]);
      const requests = found.flat().sort((one, next) => next._id - one._id);
      return present(requests.slice(0, limit), caller);
    },

    async request(friendId: number, caller: Caller): Promise<{ request: FriendRequest; isNew: boolean }> {
      await requestLimiter.count(String(caller.id));
      if (friendId === caller.id) {
        throw new Problem('invalid-request', {
          errors: [{ field: 'friendId', reason: 'cannot be yourself' }],
        });
      }
      await people.ensureUser(caller);
      await people.assertExists(friendId);
      await requireNoBlock({ userId: caller.id, friendId });
      const acceptExisting = async () => {
        const existing = await Requests.findOne(
          { pair: pairKey(caller.id, friendId), deletedAt: null },
          { outbox: 0 },
        ).lean();
        if (!existing) return undefined;
        const request = acceptersOf(existing).includes(caller.id) ? await setAccepted(existing) : existing;
        // It was deleted between the two reads, so it can be sent again.
        return request && { request: await presentOne(request, caller), isNew: false };
      };
      const result = await retryOnConflict(async () => {
        const existing = await acceptExisting();
        if (existing) return existing;
        if (!(await people.acceptsRequests(friendId))) throw new Problem('friend-requests-disabled');
        await cooldowns.assertAllowed(caller.id, friendId);
        await dailyLimiter.count(String(caller.id), { weight: weightOf(caller) });
        const inserted = await insert(caller.id, friendId);
        // There is one now, from the other person or another tab.
        if (!inserted) return acceptExisting();
        await cooldowns.recordRequest(caller.id, friendId);
        return { request: await presentOne(inserted, caller), isNew: true };
      });
      await requireNoBlock(result.request);
      return result;
    },

    async accept(request: StoredRequest, caller: Caller): Promise<FriendRequest> {
      const accepted = await setAccepted(request);
      if (!accepted) throw new Problem('friend-request-not-found');
      await requireNoBlock(accepted);
      return presentOne(accepted, caller);
    },

    async *snapshot(after: number) {
      const all = Requests.find({ _id: { $gt: after }, deletedAt: null }, { outbox: 0 }).sort({ _id: 1 });
      for await (const request of all.lean().cursor()) {
        const name = request.status === 'accepted' ? 'friend.accepted.v1' : 'friend.requested.v1';
        yield { id: request._id, events: [newEvent(name, friendshipOf(request), clock)] };
      }
    },

    async erase(userId: number): Promise<void> {
      await Requests.deleteMany({ $or: [{ userId }, { friendId: userId }] });
    },

    async remove(request: StoredRequest, caller: Caller): Promise<void> {
      const { status, userId, friendId } = request;
      if (status === 'pending' && caller.id === friendId) {
        await cooldowns.recordDecline(userId, friendId);
      }
      await removeRequest(request);
    },
  };
}
