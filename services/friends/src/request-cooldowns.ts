import { limits, Problem } from '@wayquest/platform/core';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { requestCooldownModel } from './friend-request.model.ts';

const { friendRequestsToOne, declinedRequests } = limits;

const keyOf = (userId: number, friendId: number) => `${userId}:${friendId}`;

/** Limits how often a person can send requests to the same person: each one notifies them, also after cancelling one. */
export interface RequestCooldowns {
  /** Throws `too-many-requests`. */
  assertAllowed(userId: number, friendId: number): Promise<void>;
  recordRequest(userId: number, friendId: number): Promise<void>;
  /** After a declined request the same person cannot be asked again for a week. */
  recordDecline(userId: number, friendId: number): Promise<void>;
}

/** Creates the store of the times before which a declined person cannot request again. */
export function createRequestCooldowns({
  connection,
  clock,
}: Pick<ServiceKit, 'connection' | 'clock'>): RequestCooldowns {
  const RequestCooldowns = requestCooldownModel(connection);
  const find = (userId: number, friendId: number) =>
    RequestCooldowns.findOne({
      _id: keyOf(userId, friendId),
      expiresAt: { $gt: new Date(clock.now()) },
    }).lean();

  return {
    async assertAllowed(userId: number, friendId: number): Promise<void> {
      const cooldown = await find(userId, friendId);
      if (!cooldown) return;
      const { declinedUntil, times, expiresAt } = cooldown;
      const until = declinedUntil ?? (times >= friendRequestsToOne.max ? expiresAt : undefined);
      if (!until) return;
      const { problem, detail } = declinedUntil ? declinedRequests : friendRequestsToOne;
      throw new Problem(problem, {
        detail: detail(),
        retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - clock.now()) / 1_000)),
      });
    },

    async recordRequest(userId: number, friendId: number): Promise<void> {
      const _id = keyOf(userId, friendId);
      const update = (await find(userId, friendId))
        ? { $inc: { times: 1 } }
        : {
            $set: { times: 1, expiresAt: new Date(clock.now() + friendRequestsToOne.seconds * 1_000) },
            $unset: { declinedUntil: 1 },
          };
      await upsert(RequestCooldowns, { _id }, update);
    },

    async recordDecline(userId: number, friendId: number): Promise<void> {
      const until = new Date(clock.now() + declinedRequests.seconds * 1_000);
      await upsert(
        RequestCooldowns,
        { _id: keyOf(userId, friendId) },
        { $set: { declinedUntil: until, expiresAt: until }, $setOnInsert: { times: 1 } },
      );
    },
  };
}
