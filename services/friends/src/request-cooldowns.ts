import { Problem } from '@wayquest/platform/core';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { requestCooldownModel } from './friend-request.model.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Each new request notifies the other person, also after cancelling one. */
const maxPerDay = 5;

const keyOf = (userId: number, friendId: number) => `${userId}:${friendId}`;

/** Limits how often a person can send requests to the same person. */
export function createRequestCooldowns({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>) {
  const RequestCooldowns = requestCooldownModel(connection);
  const find = (userId: number, friendId: number) =>
    RequestCooldowns.findOne({
      _id: keyOf(userId, friendId),
      expiresAt: { $gt: new Date(clock.now()) },
    }).lean();

  return {
    /** Throws `too-many-requests`. */
    async require(userId: number, friendId: number): Promise<void> {
      const cooldown = await find(userId, friendId);
      if (!cooldown) return;
      const { declinedUntil, times, expiresAt } = cooldown;
      const until = declinedUntil ?? (times >= maxPerDay ? expiresAt : undefined);
      if (!until) return;
      throw new Problem('too-many-requests', {
        detail: 'You recently sent this person a friend request. Please try again later.',
        retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - clock.now()) / 1_000)),
      });
    },

    async asked(userId: number, friendId: number): Promise<void> {
      const _id = keyOf(userId, friendId);
      const update = (await find(userId, friendId))
        ? { $inc: { times: 1 } }
        : { $set: { times: 1, expiresAt: new Date(clock.now() + dayMs) }, $unset: { declinedUntil: 1 } };
      await upsert(RequestCooldowns, { _id }, update);
    },

    /** After a declined request the same person cannot be asked again for a week. */
    async declined(userId: number, friendId: number): Promise<void> {
      const until = new Date(clock.now() + 7 * dayMs);
      await upsert(
        RequestCooldowns,
        { _id: keyOf(userId, friendId) },
        { $set: { declinedUntil: until, expiresAt: until }, $setOnInsert: { times: 1 } },
      );
    },
  };
}

export type RequestCooldowns = ReturnType<typeof createRequestCooldowns>;
