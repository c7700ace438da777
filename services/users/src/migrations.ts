import { townKey } from '@wayquest/contracts';
import { backfillTokens } from '@wayquest/platform/search';
import type { ServiceKit } from '@wayquest/platform/service';
import {
  dropCollection,
  dropIndex,
  type Migration,
  moveCollection,
  pagesById,
  renameFields,
} from '@wayquest/platform/store';
import { monthId, monthlyScoreModel, monthOf } from './monthly-score.model.ts';
import { profileModel } from './profile.model.ts';
import { searchedFields } from './profiles.ts';
import type { Towns } from './towns.ts';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Renames collections and the fields of awards; the ranking is dropped, since it is computed where it is missing. */
export const standardNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-standard-names',
  async run() {
    await moveCollection(connection, 'months', 'monthly_scores');
    await moveCollection(connection, 'withdrawn-challenges', 'revoked_challenges');
    await dropCollection(connection, 'boards');
    await renameFields(connection, 'awards', {
      heldAt: 'flaggedAt',
      heldFor: 'flagReason',
      withdrawn: 'revokedPoints',
      toldAt: 'appliedAt',
    });
    await dropIndex(connection, 'awards', 'heldAt_1');
  },
});

/** Adds search tokens to profiles, or folds them again. */
export const searchTokens = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-search-tokens',
  run: () => backfillTokens(profileModel(connection), searchedFields),
});

/**
 * Renames an award's slot of the day for own challenges, `ownPlace`, and the mark of a completion soon after the challenge's
 * creation, `quick`. Runs before `townRankings`, which leaves out awards with a slot.
 */
export const awardNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '004-award-names',
  async run() {
    await renameFields(connection, 'awards', {
      ownPlace: 'ownChallengeSlot',
      quick: 'soonAfterCreation',
    });
    await dropIndex(connection, 'awards', 'ownPlace_1');
  },
});

/** Renames the privacy setting whether others see a person on leaderboards, `boards`. */
export const leaderboardsName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '005-leaderboards',
  run: () => renameFields(connection, 'profiles', { 'privacy.boards': 'privacy.leaderboards' }),
});

/** How many profiles get their town in one batch. */
const batch = 500;

/** How many people's points are recomputed concurrently. */
const maxConcurrent = 50;

/** Stores the town of each profile, in the current month too, and the points of everybody who has one. */
export const townRankings = (
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  towns: Towns,
): Migration => ({
  name: '003-towns',
  async run() {
    const Profiles = profileModel(connection);
    const MonthlyScores = monthlyScoreModel(connection);
    const month = monthOf(new Date(clock.now()));
    for (;;) {
      const found = await Profiles.find({ town: null }, { city: 1, state: 1 }).limit(batch).lean();
      if (!found.length) break;
      const named = found.map((profile) => ({ _id: profile._id, town: townKey(profile) }));
      await MonthlyScores.bulkWrite(
        named.map(({ _id, town }) => ({
          updateOne: { filter: { _id: monthId(month, _id), town: null }, update: { $set: { town } } },
        })),
      );
      await Profiles.bulkWrite(
        named.map(({ _id, town }) => ({
          updateOne: { filter: { _id, town: null }, update: { $set: { town } } },
        })),
      );
    }
    const pages = pagesById((after) =>
      Profiles.find({ ...after, town: { $gt: '' } }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(maxConcurrent)
        .lean(),
    );
    for await (const profiles of pages) await Promise.all(profiles.map(({ _id }) => towns.recompute(_id)));
  },
});
