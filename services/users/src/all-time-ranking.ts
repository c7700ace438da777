import type { Event } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { profileModel } from './profile.model.ts';
import { createBoard, type Ranking, type RankingIndexes, type RankPosition } from './ranking-index.ts';

/**
 * The ranking of everybody by all their points, updated by the events of the profiles' outboxes: applying one twice or late
 * does no harm (ADR 15).
 */
export interface AllTimeRanking {
  /** Creates its index in a store that has none. */
  prepare(): Promise<void>;
  /** Applies an event of a profile's outbox. */
  apply(event: Event): Promise<void>;
  /** Recounts where a person was. */
  recount(position: RankPosition): Promise<void>;
  ranking(): Promise<Ranking>;
}

/** Creates the ranking of everybody by all their points. */
export function createAllTimeRanking(
  { connection }: Pick<ServiceKit, 'connection'>,
  indexes: RankingIndexes,
): AllTimeRanking {
  const Profiles = profileModel(connection);
  const board = createBoard({
    id: 'all',
    model: Profiles,
    keys: ['points', 'userId'],
    noPoints: 0,
    filterOf: ({ points, userId }) => ({
      ...(points !== undefined && { points }),
      ...(userId !== undefined && { _id: userId }),
    }),
    // A covered query: no profile is read.
    fields: { points: 1 },
    order: { points: -1, _id: 1 },
    positionOf: ({ _id: userId, points }) => ({ userId, points }),
  });

  return {
    prepare: () => indexes.prepare(board),

    async apply({ name, data }: Event): Promise<void> {
      if (name === 'points.awarded.v1' || name === 'points.revoked.v1') {
        const { userId, points } = data;
        const { pointsBefore = points - (name === 'points.awarded.v1' ? data.awarded : 0) } = data;
        if (pointsBefore !== points)
          await indexes.recount(board, [
            { userId, points: pointsBefore },
            { userId, points },
          ]);
      }
      if (name === 'user.profile-changed.v1') {
        const { version, pointsBefore, user } = data;
        const { id: userId, points } = user;
        if (version > 1 && pointsBefore === undefined) return;
        const before = pointsBefore === undefined ? [] : [{ userId, points: pointsBefore }];
        await indexes.recount(board, [...before, { userId, points }]);
      }
    },

    recount: (position) => indexes.recount(board, [position]),

    ranking: () =>
      indexes.ranking(board, async (userId) => {
        const profile = await Profiles.findById(userId, { points: 1 }).lean();
        return { userId, points: profile?.points ?? 0 };
      }),
  };
}
