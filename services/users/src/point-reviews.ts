import {
  type HeldAward,
  type HeldFor,
  type OperationRequest,
  type Operations,
  type PointsDecision,
  wayquestCreator,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import type { Clock } from '@wayquest/platform/process';
import type { ServiceKit } from '@wayquest/platform/service';
import { withEvents } from '@wayquest/platform/store';
import { logSecurityEvent } from '@wayquest/platform/telemetry';
import { awardId, awardModel, type StoredAward } from './award.model.ts';
import { type Done, livesOff, lookedBackMs, maxExamined } from './farming.ts';
import type { Ledger } from './ledger.ts';
import { beginOf, monthOf } from './monthly-score.model.ts';
import type { Profiles } from './profiles.ts';

export type HeldQuery = OperationRequest<Operations['listHeldAwards']>['query'];

/** Page size without a `limit`. */
export const defaultHeld = 100;

export const cursorAfter = ({ heldAt }: HeldAward): string => heldAt;

/** How many awards are put under review in one batch. */
const heldTogether = 50;

const isWaiting = { $gt: new Date(0) };

const nothingWaits = () =>
  new Problem('not-found', {
    detail: 'These points are not up for review. Someone else may have reviewed them.',
  });

const decidedOn = (
  { userId, challengeId, title = '', points }: StoredAward,
  decision: PointsDecision,
  by: number | null,
  reason: string,
  clock: Clock,
) => newEvent('points.decided.v1', { userId, challengeId, title, points, decision, by, reason }, clock);

/** Awards under review, and decisions about them. */
export function createHolding({
  kit: { connection, clock, logger, outboxes },
  profiles,
  ledger,
  recomputeRankings,
  pairPerDay,
  addUp,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger' | 'outboxes'>;
  profiles: Profiles;
  ledger: Ledger;
  /** Recomputes a user's monthly and town scores from the ledger. */
  recomputeRankings: (userId: number, month: string) => Promise<void>;
  /** Points that two users can earn from each other's challenges in a day (UTC) without a review. */
  pairPerDay: number;
  /** Adds an award to the user's points, and publishes it. */
  addUp: (award: StoredAward) => Promise<void>;
}) {
  const Awards = awardModel(connection);

  /** The effects of a decision; idempotent. */
  const follow = async (award: StoredAward): Promise<void> => {
    if (award.withdrawn) await addUp(award);
    else await recomputeRankings(award.userId, monthOf(award.awardedAt));
  };

  const outbox = outboxes.forModel(Awards, {
    async onRelay(event) {
      // Whoever puts an award under review recomputes the month afterwards.
      if (event.name !== 'points.decided.v1' || event.data.decision === 'hold') return;
      const award = await Awards.findById(awardId(event.data.userId, event.data.challengeId)).lean();
      if (award) await follow(award);
    },
  });

  /** Puts an award under review if it was not, and publishes that; returns its current state. */
  const hold = async (award: StoredAward, heldFor: HeldFor): Promise<StoredAward> => {
    if (!award.points) return award;
    const held = await Awards.findOneAndUpdate(
      { _id: award._id, heldAt: { $exists: false } },
      withEvents(
        { $set: { heldAt: new Date(clock.now()), heldFor } },
        [decidedOn(award, 'hold', null, '', clock)],
        clock,
      ),
      { returnDocument: 'after' },
    ).lean();
    if (!held) return award;
    outbox.send(held._id);
    logSecurityEvent(logger, { event: 'points-flagged', service: 'users', userId: award.userId });
    return held;
  };

  /** Points that two users earn from each other count in monthly rankings up to a threshold; the rest is reviewed. */
  const holdBeyond = async (award: StoredAward): Promise<StoredAward> => {
    // Suggested challenges are nobody's: whoever completes them helps no one.
    if (award.creatorId === wayquestCreator.id) return award;
    if ((await ledger.sumOf({ pair: award.pair })) <= pairPerDay) return award;
    return hold(award, 'pair');
  };

  /** A user's newest completions of others' challenges. */
  const doneBy = (userId: number): Promise<Done[]> =>
    Awards.find(
      { userId, creatorId: { $gt: 0 }, awardedAt: { $gt: new Date(clock.now() - lookedBackMs) } },
      { _id: 0, creatorId: 1, quick: 1, heldAt: 1, withdrawn: 1 },
    )
      .sort({ awardedAt: -1 })
      .limit(maxExamined)
      .lean<Done[]>();

  /** All awards that a user earned from another one since a month began. */
  const holdAll = async (userId: number, creatorId: number, month: string): Promise<void> => {
    const since = { awardedAt: { $gte: beginOf(month) }, points: { $gt: 0 }, heldAt: { $exists: false } };
    for (;;) {
      const page = await Awards.find({ userId, creatorId, ...since })
        .limit(heldTogether)
        .lean();
      await Promise.all(page.map((award) => hold(award, 'farming')));
      if (page.length < heldTogether) return;
    }
  };

  /**
   * Puts all awards that two farming users earned from each other this month under review, including earlier ones. Idempotent;
   * repeated until the award that revealed it is published.
   */
  const holdFarmed = async (award: StoredAward): Promise<StoredAward> => {
    const { userId, creatorId } = award;
    if (!award.quick || !creatorId) return award;
    if (!livesOff(await doneBy(userId), creatorId)) return award;
    if (!livesOff(await doneBy(creatorId), userId)) return award;
    const month = monthOf(award.awardedAt);
    await holdAll(userId, creatorId, month);
    await holdAll(creatorId, userId, month);
    await recomputeRankings(userId, month);
    await recomputeRankings(creatorId, month);
    return Awards.findById(award._id).lean().orFail();
  };

  /** Throws `not-found`, also after a concurrent decision. */
  const decide = async (
    { userId, challengeId }: Pick<StoredAward, 'userId' | 'challengeId'>,
    decision: Exclude<PointsDecision, 'hold'>,
    by: number,
    reason = '',
  ): Promise<void> => {
    const waiting = await Awards.findOne({ _id: awardId(userId, challengeId), heldAt: isWaiting }).lean();
    if (!waiting) throw nothingWaits();
    const { _id, points } = waiting;
    const events = [decidedOn(waiting, decision, by, reason, clock)];
    const takeBack = { $set: { heldAt: null, points: 0, withdrawn: points, reason }, $unset: { toldAt: 1 } };
    const decided = await Awards.findOneAndUpdate(
      { _id, points, heldAt: isWaiting },
      withEvents(decision === 'withdraw' ? takeBack : { $set: { heldAt: null } }, events, clock),
      { returnDocument: 'after' },
    ).lean();
    if (!decided) throw nothingWaits();
    // Before publishing, or the effects would be published twice.
    await follow(decided);
    outbox.send(_id);
  };

  /** A page includes all awards with the time of its last one: the cursor is that time. */
  const pageOf = async ({ cursor, limit = defaultHeld }: HeldQuery): Promise<StoredAward[]> => {
    const after = new Date(cursor ?? 0);
    const later = { $gt: Number.isNaN(after.getTime()) ? new Date(0) : after };
    const page = await Awards.find({ heldAt: later }).sort({ heldAt: 1 }).limit(limit).lean();
    const last = page.at(-1)?.heldAt;
    if (page.length < limit || !last) return page;
    const before = page.filter(({ heldAt }) => heldAt && heldAt < last);
    return [...before, ...(await Awards.find({ heldAt: last }).lean())];
  };

  return {
    hold,

    /** Puts an award of another user's challenge under review if necessary; returns its state then. */
    look: async (award: StoredAward): Promise<StoredAward> => holdFarmed(await holdBeyond(award)),

    /** Awards under review, oldest first. */
    async list(query: HeldQuery): Promise<HeldAward[]> {
      const found = await pageOf(query);
      const people = await profiles.named([
        ...new Set(found.flatMap(({ userId, creatorId }) => [userId, ...(creatorId ? [creatorId] : [])])),
      ]);
      return found.flatMap(
        ({ userId, challengeId, creatorId, points, awardedAt, heldAt, heldFor, title = '' }) =>
          heldAt
            ? [
                {
                  ...{ userId, challengeId, points, ...(creatorId && { creatorId }) },
                  ...(heldFor && { heldFor }),
                  ...{ title, awardedAt: awardedAt.toISOString(), heldAt: heldAt.toISOString() },
                  user: people.get(userId) ?? null,
                  creator: (creatorId && people.get(creatorId)) || null,
                },
              ]
            : [],
      );
    },

    /** Releases an award: it counts in its month's rankings. Throws `not-found`. */
    release: (which: Pick<StoredAward, 'userId' | 'challengeId'>, { id }: Caller): Promise<void> =>
      decide(which, 'release', id),

    /** Revokes an award under review. Throws `not-found`. */
    withdraw: (
      which: Pick<StoredAward, 'userId' | 'challengeId'>,
      reason: string,
      { id }: Caller,
    ): Promise<void> => decide(which, 'withdraw', id, reason),
  };
}
