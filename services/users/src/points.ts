import { AsyncLocalStorage } from 'node:async_hooks';
import type { Award, AwardOutcome, Client, Event, EventData, FlaggedAward, Me } from '@wayquest/contracts';
import { createKeyedBatcher } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Outbox, withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, retryOnConflict, upsert } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { z } from 'zod';
import {
  awardId,
  awardModel,
  type Ledger,
  pairOfDay,
  revokedChallengeModel,
  type StoredAward,
} from './ledger.ts';
import { monthOf } from './monthly-score.model.ts';
import type { MonthlyScores } from './monthly-scores.ts';
import { createPointReviews, type FlaggedQuery, isSoonAfterCreation } from './point-reviews.ts';
import { type AppliedAward, type ProfileDocument, presentMe, profileModel } from './profile.model.ts';
import type { Profiles } from './profiles.ts';
import type { Towns } from './towns.ts';

type Completion = Omit<EventData<'challenge.completed.v1'>, 'participationId'>;

/** A user's points before and after a recomputation. */
type Sum = Required<Pick<EventData<'points.awarded.v1'>, 'points' | 'pointsBefore' | 'pointsVersion'>>;

/** A ledger entry to be added to the points, and published. */
interface Entry {
  award: StoredAward;
  toEvent: (sum: Sum) => Event;
}

/** How many awards of a challenge are revoked in one batch. */
const revokeBatchSize = 50;

/** What a recomputation reads of a profile. */
const recomputedFields = {
  ...{ points: 1, pointsVersion: 1, appliedAwards: 1 },
  ...{ town: 1, townPoints: 1, townCheckedIn: 1, townUncounted: 1 },
} as const;

type Unfinished = Pick<ProfileDocument, '_id' | 'pointsVersion' | 'appliedAwards' | 'townUncounted'>;

const keyOf = ({ _id, revokedPoints }: AppliedAward): string => `${_id} ${revokedPoints ?? ''}`;

export interface PointsDeps {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger' | 'outboxes'>;
  outbox: Outbox<ProfileDocument>;
  profiles: Profiles;
  ledger: Ledger;
  monthlyScores: MonthlyScores;
  towns: Towns;
  participation: Client;
  /** How many of a user's own challenges earn points in a day (UTC). */
  ownPerDay: number;
  /** Points that two users can earn from each other's challenges in a day (UTC) without a review. */
  pairPerDay: number;
}

/** Points: each completed challenge is awarded once, whether the event or the user's call arrives first. */
export interface Points {
  /**
   * A flagged award goes into review, even if the user's own call came first. Own challenges do not count in monthly
   * rankings.
   */
  award(completion: Completion): Promise<StoredAward>;
  /** Awards under review, oldest first. */
  listFlagged(query: FlaggedQuery): Promise<FlaggedAward[]>;
  /** Approves an award under review: it counts in its month's rankings. Throws `not-found`. */
  approve(award: Pick<StoredAward, 'userId' | 'challengeId'>, caller: Caller): Promise<void>;
  /** Revokes an award under review. Throws `not-found`. */
  revoke(award: Pick<StoredAward, 'userId' | 'challengeId'>, reason: string, caller: Caller): Promise<void>;
  /** Revokes all awards of a challenge, including future ones. */
  revokeAll(event: Pick<EventData<'challenge.deleted.v1'>, 'challengeId'>): Promise<void>;
  /** The caller's claim for a challenge. Throws `not-completed`. */
  claim(challengeId: number, caller: Caller): Promise<Me & { award: z.input<typeof Award> }>;
}

/** Creates the points on the service's database, with reviews of suspicious awards. */
export function createPoints({
  kit,
  outbox,
  profiles,
  ledger,
  monthlyScores,
  towns,
  participation,
  ownPerDay,
  pairPerDay,
}: PointsDeps): Points {
  const { connection, clock } = kit;
  const Awards = awardModel(connection);
  const RevokedChallenges = revokedChallengeModel(connection);
  const Profiles = profileModel(connection);

  /** Inserts an award; returns false if its id or its slot of the day exists already. */
  const insert = async (award: StoredAward): Promise<boolean> => {
    try {
      await Awards.create(award);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /** Unique keys, not counts, keep the ledger correct under concurrent calls and events. */
  const recordAward = async ({
    userId,
    challengeId,
    points,
    creatorId,
    completedAt,
    checkedIn,
    challenge,
  }: Completion): Promise<StoredAward> => {
    const award = {
      ...{ _id: awardId(userId, challengeId), userId, challengeId, points, awardedAt: new Date(clock.now()) },
      ...(challenge && { title: challenge.name }),
      ...(checkedIn && { checkedIn }),
    };
    const day = completedAt.slice(0, 10);
    if (creatorId !== userId) {
      const ofPair = {
        ...{ ...award, creatorId, pair: pairOfDay(userId, creatorId, day) },
        ...(isSoonAfterCreation(challenge?.createdAt, completedAt) && { soonAfterCreation: true }),
      };
      return (await insert(ofPair)) ? ofPair : Awards.findById(award._id).lean().orFail();
    }
    for (let slot = 1; slot <= ownPerDay; slot++) {
      if (await insert({ ...award, ownChallengeSlot: `${userId}:${day}:${slot}` })) return award;
      const existing = await Awards.findById(award._id).lean();
      if (existing) return existing;
    }
    await insert({ ...award, points: 0 });
    return Awards.findById(award._id).lean().orFail();
  };

  /** Those of one user's entries that nobody has published, each once. */
  const unpublished = async (entries: Entry[], applied: AppliedAward[]): Promise<Entry[]> => {
    const ids = entries.map(({ award }) => award._id);
    const published = await Awards.find(
      { _id: { $in: ids }, appliedAt: { $ne: null } },
      { revokedPoints: 1 },
    ).lean();
    const known = new Set([...published, ...applied].map(keyOf));
    return entries.filter(({ award }) => {
      const key = keyOf(award);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
  };

  /** Does what remains after the write of somebody's points, until their profile no longer says so. Idempotent. */
  const finish = async (written: Unfinished): Promise<void> => {
    let profile: Unfinished | null = written;
    await retryOnConflict(async () => {
      if (!profile?.appliedAwards?.length) return true;
      const { _id, pointsVersion, appliedAwards } = profile;
      await towns.recount(profile);
      const appliedAt = new Date(clock.now());
      await Awards.bulkWrite(
        appliedAwards.map(({ _id: awardId, revokedPoints = null }) => ({
          updateOne: {
            // Not an award that was revoked since: its revocation is published later.
            filter: { _id: awardId, revokedPoints },
            update: { $set: { appliedAt } },
          },
        })),
      );
      const { matchedCount } = await Profiles.updateOne(
        { _id, pointsVersion },
        { $unset: { appliedAwards: 1, townUncounted: 1 } },
      );
      if (matchedCount) return true;
      profile = await Profiles.findById(_id, recomputedFields).lean();
      return undefined;
    });
  };

  /**
   * Sets a profile's points to the sum of its ledger, and publishes new awards. The version is read before the sum (optimistic
   * concurrency), so that doing it twice changes nothing. The same write stores in the profile which awards it publishes,
   * until the ledger says so: of instances that get the event and the call for a completion at the same time, or after a crash,
   * one publishes it. A profile that has not arrived yet takes its points from the ledger on arrival. Monthly scores are
   * recomputed first, in the same way.
   */
  const recompute = createKeyedBatcher<number, Entry, void>(async (batch) => {
    const userId = batch[0]?.item.award.userId ?? 0;
    for (const month of new Set(batch.map(({ item }) => monthOf(item.award.awardedAt))))
      await monthlyScores.recompute(userId, month);
    const applied = await retryOnConflict(async () => {
      const profile = await Profiles.findById(userId, recomputedFields).lean();
      if (!profile) return null;
      const { points: before, pointsVersion: currentVersion = null, appliedAwards } = profile;
      const points = await ledger.pointsOf(userId);
      const sums = await towns.sumsOf(userId);
      const pointsVersion = (currentVersion ?? 0) + 1;
      // After the profile, which loses them when the ledger has them.
      const items = await unpublished(
        batch.map(({ item }) => item),
        appliedAwards ?? [],
      );
      if (!items.length) return profile;
      const applying = items.map(({ award: { _id, revokedPoints = null } }) => ({ _id, revokedPoints }));
      const updated = await Profiles.findOneAndUpdate(
        { _id: userId, pointsVersion: currentVersion },
        withEvents(
          {
            $set: { points, ...sums, pointsVersion },
            $push: { appliedAwards: { $each: applying }, ...towns.uncounted(profile, sums) },
          },
          items.map(({ toEvent }, index) =>
            toEvent({ points, pointsBefore: index ? points : before, pointsVersion }),
          ),
          clock,
        ),
        { returnDocument: 'after', projection: recomputedFields },
      ).lean();
      return updated ?? undefined;
    });
    if (applied) {
      outbox.send(userId);
      await finish(applied);
    }
    for (const { resolve } of batch) resolve();
  });

  const apply = async (award: StoredAward): Promise<void> => {
    const { userId, challengeId, points, revokedPoints: revoked, appliedAt } = award;
    if (appliedAt || !(points || revoked)) return;
    // The event carries the request id of its own call, whichever batch writes it.
    const toEvent = AsyncLocalStorage.bind((sum: Sum) =>
      revoked
        ? newEvent('points.revoked.v1', { userId, challengeId, revoked, ...sum }, clock)
        : newEvent('points.awarded.v1', { userId, challengeId, awarded: points, ...sum }, clock),
    );
    await recompute(userId, { award, toEvent });
  };

  /** After a change of which awards count. */
  const recomputeRankings = async (userId: number, month: string): Promise<void> => {
    await monthlyScores.recompute(userId, month);
    await towns.recompute(userId);
  };

  const reviews = createPointReviews({
    kit,
    profiles,
    ledger,
    recomputeRankings,
    pairPerDay,
    recompute: apply,
  });

  /** Revokes an award; idempotent. */
  const revoke = async ({ _id, points }: StoredAward): Promise<StoredAward> => {
    const update = { $set: { points: 0, revokedPoints: points, flaggedAt: null }, $unset: { appliedAt: 1 } };
    await Awards.updateOne({ _id, points, revokedPoints: null }, update);
    return Awards.findById(_id).lean().orFail();
  };

  /** Reviews a stored award and lets it count; a published one counts already. */
  const reviewAndApply = async (stored: StoredAward): Promise<StoredAward> => {
    if (stored.appliedAt) return stored;
    const reviewed = stored.pair ? await reviews.flagIfSuspicious(stored) : stored;
    const isChallengeRevoked =
      reviewed.points && (await RevokedChallenges.exists({ _id: reviewed.challengeId }));
    const award = isChallengeRevoked ? await revoke(reviewed) : reviewed;
    await apply(award);
    return award;
  };

  const award = async (completion: Completion): Promise<StoredAward> => {
    const stored = await recordAward(completion);
    if (!completion.flagReason || !stored.pair) return reviewAndApply(stored);
    const flagged = await reviewAndApply(await reviews.flag(stored, completion.flagReason));
    if (stored.appliedAt) await recomputeRankings(stored.userId, monthOf(stored.awardedAt));
    return flagged;
  };

  /** Calls participation, since its event may not have arrived. Throws `not-completed`. */
  const completionOf = async (challengeId: number, { id: userId, token }: Caller): Promise<Completion> => {
    const [found] = await participation
      .listParticipations({ query: { challengeId, userId } }, { token })
      .catch((error: unknown) => {
        throw new Problem('service-unavailable', { cause: error });
      });
    if (!found?.completedAt) throw new Problem('not-completed');
    const { points, completedAt, checkedIn, challenge } = found;
    return {
      ...{ userId, challengeId, points, completedAt, checkedIn },
      ...{ creatorId: challenge.creator.id, challenge },
    };
  };

  const outcomeOf = ({ points, revokedPoints, flaggedAt, reason }: StoredAward): AwardOutcome | undefined => {
    if (flaggedAt) return 'flagged';
    if (points > 0) return undefined;
    if (!revokedPoints) return 'own-limit';
    return reason ? 'revoked' : 'removed';
  };

  const presentAward = (award: StoredAward): z.input<typeof Award> => {
    const { challengeId, points, reason, awardedAt } = award;
    const outcome = outcomeOf(award);
    return {
      ...{ challengeId, points, awardedAt: awardedAt.toISOString() },
      ...(outcome && { outcome }),
      ...(reason && { reason }),
    };
  };

  return {
    award,
    listFlagged: reviews.list,
    approve: reviews.approve,
    revoke: reviews.revoke,

    async revokeAll({ challengeId }: Pick<EventData<'challenge.deleted.v1'>, 'challengeId'>): Promise<void> {
      await upsert(RevokedChallenges, { _id: challengeId }, { $setOnInsert: { _id: challengeId } });
      // Revoked but unpublished awards only exist after a crash.
      const notRevoked = { $or: [{ points: { $gt: 0 } }, { revokedPoints: { $gt: 0 }, appliedAt: null }] };
      for (let last = ''; ; ) {
        const page = Awards.find({ challengeId, _id: { $gt: last }, ...notRevoked }).sort({ _id: 1 });
        const found = await page.limit(revokeBatchSize).lean();
        await Promise.all(found.map(async (one) => apply(one.points ? await revoke(one) : one)));
        last = found.at(-1)?._id ?? '';
        if (!last) return;
      }
    },

    async claim(challengeId: number, caller: Caller): Promise<Me & { award: z.input<typeof Award> }> {
      await profiles.getOrCreate(caller);
      const stored = await Awards.findById(awardId(caller.id, challengeId)).lean();
      const awarded = await (stored
        ? reviewAndApply(stored)
        : award(await completionOf(challengeId, caller)));
      return { ...presentMe(await profiles.getOrCreate(caller)), award: presentAward(awarded) };
    },
  };
}
