import type { EventData, FriendRequest, OperationRequest, Operations } from '@wayquest/contracts';
import {
  type Caller,
  lostTheRace,
  newEvent,
  outboxOf,
  Problem,
  type RateLimiter,
  type ServiceKit,
  untilWon,
  withEvents,
} from '@wayquest/platform';
import { type FriendRequestDocument, friendRequestModel, pairOf } from './friend-request.model.ts';
import type { People } from './people.ts';
import { canAccept, canRemove } from './policies.ts';

type RequestQuery = OperationRequest<Operations['listFriendRequests']>['query'];
type StoredRequest = Omit<FriendRequestDocument, 'outbox'>;

/** How many are answered when nobody says. */
export const defaultLimit = 500;

const friendshipOf = ({ _id, userId, friendId }: StoredRequest): EventData<'friend.accepted.v1'> => ({
  requestId: _id,
  userIds: [userId, friendId],
});

/** The operations on friend requests, in the words of the domain. */
export function createFriends(
  { connection, ids, outbox }: ServiceKit,
  people: People,
  requestLimiter: RateLimiter,
) {
  const Requests = friendRequestModel(connection);

  /** Requests with both people; one with somebody who cannot be shown yet is left out. */
  const present = async (requests: StoredRequest[]): Promise<FriendRequest[]> => {
    const users = await people.byIds(requests.flatMap(({ userId, friendId }) => [userId, friendId]));
    return requests.flatMap(({ _id, userId, friendId, status, createdAt }) => {
      const user = users.get(userId);
      const friend = users.get(friendId);
      if (!user || !friend) return [];
      return [{ id: _id, userId, friendId, status, createdAt: createdAt.toISOString(), user, friend }];
    });
  };

  const presentOne = async (request: StoredRequest): Promise<FriendRequest> => {
    const [presented] = await present([request]);
    if (!presented) throw new Problem('user-not-found');
    return presented;
  };

  /** Throws `friend-request-not-found`. */
  const find = async (id: number): Promise<StoredRequest> => {
    const request = await Requests.findOne({ _id: id, deletedAt: null }, { outbox: 0 }).lean();
    if (!request) throw new Problem('friend-request-not-found');
    return request;
  };

  const insert = async (userId: number, friendId: number): Promise<StoredRequest | undefined> => {
    const request: StoredRequest = {
      _id: await ids.next('friend-request'),
      pair: pairOf(userId, friendId),
      userId,
      friendId,
      status: 'pending',
      createdAt: new Date(),
    };
    const requested = [newEvent('friend.requested.v1', friendshipOf(request))];
    try {
      await Requests.create({ ...request, ...outboxOf(requested) });
    } catch (error) {
      if (lostTheRace(error)) return undefined;
      throw error;
    }
    outbox.send(Requests, request._id, requested);
    return request;
  };

  /** Undefined when the request has gone meanwhile; one that is accepted already stays so. */
  const setAccepted = async (request: StoredRequest): Promise<StoredRequest | undefined> => {
    const accepted = [newEvent('friend.accepted.v1', friendshipOf(request))];
    const after = await Requests.findOneAndUpdate(
      { _id: request._id, status: 'pending', deletedAt: null },
      withEvents({ $set: { status: 'accepted' } }, accepted),
      { returnDocument: 'after', projection: { outbox: 0 } },
    ).lean();
    if (after) outbox.send(Requests, request._id, accepted);
    return (
      after ??
      (await Requests.findOne({ _id: request._id, deletedAt: null }, { outbox: 0 }).lean()) ??
      undefined
    );
  };

  return {
    /** The caller's requests, newest first. */
    async list(
      { status, with: other, cursor, limit = defaultLimit }: RequestQuery,
      caller: Caller,
    ): Promise<FriendRequest[]> {
      const whose = other
        ? { pair: pairOf(caller.id, other) }
        : { $or: [{ userId: caller.id }, { friendId: caller.id }] };
      const page = cursor ? { _id: { $lt: Number(cursor) || 0 } } : {};
      const requests = await Requests.find(
        { ...whose, ...page, ...(status && { status }), deletedAt: null },
        { outbox: 0 },
      )
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return present(requests);
    },

    /**
     * Asks somebody. Answers the request there is when the caller asked before, and accepts theirs when they asked
     * first, also at the same instant: the pair is unique. Throws `invalid-request`, `user-not-found` and
     * `too-many-requests`.
     */
    async request(friendId: number, caller: Caller): Promise<{ request: FriendRequest; isNew: boolean }> {
      await requestLimiter.count(String(caller.id));
      if (friendId === caller.id) {
        throw new Problem('invalid-request', {
          errors: [{ field: 'friendId', reason: 'must be somebody else than yourself' }],
        });
      }
      await people.meet(caller);
      await people.require(friendId);
      return untilWon(async () => {
        const inserted = await insert(caller.id, friendId);
        if (inserted) return { request: await presentOne(inserted), isNew: true };
        const existing = await Requests.findOne(
          { pair: pairOf(caller.id, friendId), deletedAt: null },
          { outbox: 0 },
        ).lean();
        // Gone between the two looks, or nobody has won yet.
        if (!existing) return undefined;
        const answer = canAccept(caller, existing) ? await setAccepted(existing) : existing;
        return answer && { request: await presentOne(answer), isNew: false };
      });
    },

    /** Once more answers the same. Throws `friend-request-not-found` and `forbidden`. */
    async accept(id: number, caller: Caller): Promise<FriendRequest> {
      const request = await find(id);
      if (!canAccept(caller, request)) throw new Problem('forbidden');
      const accepted = await setAccepted(request);
      if (!accepted) throw new Problem('friend-request-not-found');
      return presentOne(accepted);
    },

    /** All requests as they are now. */
    async *retell() {
      for await (const request of Requests.find({ deletedAt: null }, { outbox: 0 }).lean().cursor()) {
        const name = request.status === 'accepted' ? 'friend.accepted.v1' : 'friend.requested.v1';
        yield newEvent(name, friendshipOf(request));
      }
    },

    /** Throws `friend-request-not-found` and `forbidden`. */
    async remove(id: number, caller: Caller): Promise<void> {
      const request = await find(id);
      if (!canRemove(caller, request)) throw new Problem('forbidden');
      const removed = [newEvent('friend.removed.v1', friendshipOf(request))];
      const found = await Requests.findOneAndUpdate(
        { _id: id, deletedAt: null },
        withEvents({ $set: { deletedAt: new Date() }, $unset: { pair: 1 } }, removed),
      ).lean();
      if (found) outbox.send(Requests, id, removed);
    },
  };
}

export type Friends = ReturnType<typeof createFriends>;
