import {
  type FlaggedAward,
  type FlagReason,
  type OperationRequest,
  type Operations,
  type PointsDecision,
  wayquestCreator,
} from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Caller } from '@wayquest/platform/tokens';
import { awardId, awardModel, type Ledger, type StoredAward } from './ledger.ts';
import { monthOf, startOfMonth } from './monthly-score.model.ts';
import type { Profiles } from './profiles.ts';

/** A completion of another user's challenge, from the ledger. */
interface ForeignCompletion {
  creatorId?: number;
  /** Completed within minutes of the challenge's creation. */
  soonAfterCreation?: boolean | null;
  /** Null: reviewed. */
  flaggedAt?: Date | null;
  revokedPoints?: number | null;
}

/** How far back to look, and at how many of the newest completions of each user. */
const lookbackMs = 30 * 24 * 3_600 * 1_000;
const maxExamined = 100;

/** A friend at the same place may complete a new challenge: once or twice is not farming. */
const minCompletions = 3;

/** Share of completions that are one other user's challenges. */
const minShare = 0.8;

const soonAfterCreationMs = 10 * 60 * 1_000;

/** Whether it was completed within minutes of its creation; unknown for events of older versions. */
export const isSoonAfterCreation = (createdAt: string | undefined, completedAt: string): boolean =>
  createdAt !== undefined && Date.parse(completedAt) - Date.parse(createdAt) <= soonAfterCreationMs;

/** Approved awards were found to be fine. */
const isSuspicious = ({ soonAfterCreation, flaggedAt, revokedPoints }: ForeignCompletion): boolean =>
  !!soonAfterCreation && (flaggedAt !== null || !!revokedPoints);

/**
 * Whether a user's completions of others' challenges are nearly all of one other user's, most of them within minutes of their
 * creation.
 */
function isFarmedBy(completions: readonly ForeignCompletion[], creatorId: number): boolean {
  const ofCreator = completions.filter((each) => each.creatorId === creatorId);
  return (
    ofCreator.length >= minCompletions &&
    ofCreator.length >= minShare * completions.length &&
    ofCreator.filter(isSuspicious).length > ofCreator.length / 2
  );
}

export type FlaggedQuery = OperationRequest<Operations['listFlaggedAwards']>['query'];

/** Page size without a `limit`. */
export const defaultPageSize = 100;

export const cursorAfter = ({ flaggedAt }: FlaggedAward): string => flaggedAt;

/** How many awards are put under review in one batch. */
const flagBatchSize = 50;

const isFlagged = { $gt: new Date(0) };

const notUnderReview = () =>
  new Problem('not-found', {
    detail: 'These points are not up for review. Someone else may have reviewed them.',
  });

const decisionEvent = (
  { userId, challengeId, title = '', points }: StoredAward,
  decision: PointsDecision,
  by: number | null,
  reason: string,
  clock: Clock,
) => newEvent('points.decided.v1', { userId, challengeId, title, points, decision, by, reason }, clock);

/** Awards under review, and decisions about them. */
export function createPointReviews({
  kit: { connection, clock, logger, outboxes },
  profiles,
  ledger,
  recomputeRankings,
  pairPerDay,
  recompute,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger' | 'outboxes'>;
  profiles: Profiles;
  ledger: Ledger;
  /** Recomputes a user's monthly and town scores from the ledger. */
  recomputeRankings: (userId: number, month: string) => Promise<void>;
  /** Points that two users can earn from each other's challenges in a day (UTC) without a review. */
  pairPerDay: number;
  /** Adds an award to the user's points, and publishes it. */
  recompute: (award: StoredAward) => Promise<void>;
}) {
  const Awards = awardModel(connection);

  /** The effects of a decision; idempotent. */
  const applyEffects = async (award: StoredAward): Promise<void> => {
    if (award.revokedPoints) await recompute(award);
    else await recomputeRankings(award.userId, monthOf(award.awardedAt));
  };

  const outbox = outboxes.forModel(Awards, {
    async onRelay(event) {
      // Whoever puts an award under review recomputes the month afterwards.
      if (event.name !== 'points.decided.v1' || event.data.decision === 'flag') return;
      const award = await Awards.findById(awardId(event.data.userId, event.data.challengeId)).lean();
      if (award) await applyEffects(award);
    },
  });

  /** Puts an award under review if it was not, and publishes that; returns its current state. */
  const flag = async (award: StoredAward, flagReason: FlagReason): Promise<StoredAward> => {
    if (!award.points) return award;
    const flagged = await Awards.findOneAndUpdate(
      { _id: award._id, flaggedAt: { $exists: false } },
      withEvents(
        { $set: { flaggedAt: new Date(clock.now()), flagReason } },
        [decisionEvent(award, 'flag', null, '', clock)],
        clock,
      ),
      { returnDocument: 'after' },
    ).lean();
    if (!flagged) return award;
    outbox.send(flagged._id);
    logSecurityEvent(logger, { event: 'points-flagged', service: 'users', userId: award.userId });
    return flagged;
  };

  /** Points that two users earn from each other count in monthly rankings up to a threshold; the rest is reviewed. */
  const flagBeyondThreshold = async (award: StoredAward): Promise<StoredAward> => {
    // Suggested challenges have no creator who would profit.
    if (award.creatorId === wayquestCreator.id) return award;
    if ((await ledger.sumOf({ pair: award.pair })) <= pairPerDay) return award;
    return flag(award, 'pair');
  };

  /** A user's newest completions of others' challenges. */
  const completionsOf = (userId: number): Promise<ForeignCompletion[]> =>
    Awards.find(
      { userId, creatorId: { $gt: 0 }, awardedAt: { $gt: new Date(clock.now() - lookbackMs) } },
      { _id: 0, creatorId: 1, soonAfterCreation: 1, flaggedAt: 1, revokedPoints: 1 },
    )
      .sort({ awardedAt: -1 })
      .limit(maxExamined)
      .lean<ForeignCompletion[]>();

  /** All awards that a user earned from another one since a month began. */
  const flagAll = async (userId: number, creatorId: number, month: string): Promise<void> => {
    const since = {
      awardedAt: { $gte: startOfMonth(month) },
      points: { $gt: 0 },
      flaggedAt: { $exists: false },
    };
    for (;;) {
      const page = await Awards.find({ userId, creatorId, ...since })
        .limit(flagBatchSize)
        .lean();
      await Promise.all(page.map((award) => flag(award, 'farming')));
      if (page.length < flagBatchSize) return;
    }
  };

  /**
   * Puts all awards that two farming users earned from each other this month under review, including earlier ones. Idempotent;
   * repeated until the award that revealed it is published.
   */
  const flagFarming = async (award: StoredAward): Promise<StoredAward> => {
    const { userId, creatorId } = award;
    if (!award.soonAfterCreation || !creatorId) return award;
    if (!isFarmedBy(await completionsOf(userId), creatorId)) return award;
    if (!isFarmedBy(await completionsOf(creatorId), userId)) return award;
    const month = monthOf(award.awardedAt);
    await flagAll(userId, creatorId, month);
    await flagAll(creatorId, userId, month);
    await recomputeRankings(userId, month);
    await recomputeRankings(creatorId, month);
    return Awards.findById(award._id).lean().orFail();
  };

  /** Throws `not-found`, also after a concurrent decision. */
  const decide = async (
    { userId, challengeId }: Pick<StoredAward, 'userId' | 'challengeId'>,
    decision: Exclude<PointsDecision, 'flag'>,
    by: number,
    reason = '',
  ): Promise<void> => {
    const award = await Awards.findOne({ _id: awardId(userId, challengeId), flaggedAt: isFlagged }).lean();
    if (!award) throw notUnderReview();
    const { _id, points } = award;
    const events = [decisionEvent(award, decision, by, reason, clock)];
    const revocation = {
      $set: { flaggedAt: null, points: 0, revokedPoints: points, reason },
      $unset: { appliedAt: 1 },
    };
    const decided = await Awards.findOneAndUpdate(
      { _id, points, flaggedAt: isFlagged },
      withEvents(decision === 'revoke' ? revocation : { $set: { flaggedAt: null } }, events, clock),
      { returnDocument: 'after' },
    ).lean();
    if (!decided) throw notUnderReview();
    // Before publishing, or the effects would be published twice.
    await applyEffects(decided);
    outbox.send(_id);
  };

  /** A page includes all awards with the time of its last one: the cursor is that time. */
  const pageOf = async ({ cursor, limit = defaultPageSize }: FlaggedQuery): Promise<StoredAward[]> => {
    const after = new Date(cursor ?? 0);
    const afterFilter = { $gt: Number.isNaN(after.getTime()) ? new Date(0) : after };
    const page = await Awards.find({ flaggedAt: afterFilter }).sort({ flaggedAt: 1 }).limit(limit).lean();
    const last = page.at(-1)?.flaggedAt;
    if (page.length < limit || !last) return page;
    const before = page.filter(({ flaggedAt }) => flaggedAt && flaggedAt < last);
    return [...before, ...(await Awards.find({ flaggedAt: last }).lean())];
  };

  return {
    flag,

    /** Puts an award of another user's challenge under review if necessary; returns its state then. */
    flagIfSuspicious: async (award: StoredAward): Promise<StoredAward> =>
      flagFarming(await flagBeyondThreshold(award)),

    /** Awards under review, oldest first. */
    async list(query: FlaggedQuery): Promise<FlaggedAward[]> {
      const found = await pageOf(query);
      const people = await profiles.usernamesOf([
        ...new Set(found.flatMap(({ userId, creatorId }) => [userId, ...(creatorId ? [creatorId] : [])])),
      ]);
      return found.flatMap(
        ({ userId, challengeId, creatorId, points, awardedAt, flaggedAt, flagReason, title = '' }) =>
          flaggedAt
            ? [
                {
                  ...{ userId, challengeId, points, ...(creatorId && { creatorId }) },
                  ...(flagReason && { flagReason }),
                  ...{ title, awardedAt: awardedAt.toISOString(), flaggedAt: flaggedAt.toISOString() },
                  user: people.get(userId) ?? null,
                  creator: (creatorId && people.get(creatorId)) || null,
                },
              ]
            : [],
      );
    },

    /** Approves an award: it counts in its month's rankings. Throws `not-found`. */
    approve: (which: Pick<StoredAward, 'userId' | 'challengeId'>, { id }: Caller): Promise<void> =>
      decide(which, 'approve', id),

    /** Revokes an award under review. Throws `not-found`. */
    revoke: (
      which: Pick<StoredAward, 'userId' | 'challengeId'>,
      reason: string,
      { id }: Caller,
    ): Promise<void> => decide(which, 'revoke', id, reason),
  };
}
