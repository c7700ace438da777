import type { Challenge, ChallengeCluster, OperationRequest, Operations } from '@wayquest/contracts';
import { type Caller, Problem, type ServiceKit } from '@wayquest/platform';
import type { QueryFilter } from 'mongoose';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { presentChallenge } from './challenge.presenter.ts';
import { around, inside, matching, openAt } from './filters.ts';
import { membershipModel } from './membership.model.ts';
import { boxOf, levelFor, roundedOut } from './tiles.ts';

type Filter = QueryFilter<ChallengeDocument>;
type ListQuery = OperationRequest<Operations['listChallenges']>['query'];
type ClusterQuery = OperationRequest<Operations['listChallengeClusters']>['query'];

/** How many are answered when nobody says. */
export const defaultLimit = 500;

const defaultRadius = 5_000;

/** Finding challenges: in a list or on the map. */
export function createFinding({ connection }: Pick<ServiceKit, 'connection'>) {
  const Challenges = challengeModel(connection);
  const Memberships = membershipModel(connection);

  /** Those the person takes part in, and for `mine` those the person made. */
  const ofPerson = async (scope: 'mine' | 'joined', userId: number): Promise<Filter> => {
    const lines = await Memberships.find({ userId, left: false }, { challengeId: 1 }).lean();
    const joined = { _id: { $in: lines.map(({ challengeId }) => challengeId) } };
    return scope === 'mine' ? { $or: [{ 'creator.id': userId }, joined] } : joined;
  };

  /** What the list and the map have in common. Throws `unauthenticated` for nobody's own. */
  const filtersOf = async (
    { scope, difficulty, open, search }: Pick<ListQuery, 'scope' | 'difficulty' | 'open' | 'search'>,
    caller: Caller | undefined,
  ): Promise<Filter[]> => {
    const filters: Filter[] = [{ deletedAt: null }];
    const whose = scope ?? (caller ? 'mine' : 'all');
    if (whose !== 'all') {
      if (!caller) throw new Problem('unauthenticated');
      filters.push(await ofPerson(whose, caller.id));
    }
    if (difficulty) filters.push({ difficulty });
    if (open) filters.push(openAt(new Date(), await Challenges.distinct('timeZone')));
    if (search) filters.push(matching(search));
    return filters;
  };

  return {
    /** Newest first, or nearest first with `near`; without a scope those of the caller, or all for nobody. */
    async list(query: ListQuery, caller: Caller | undefined): Promise<Challenge[]> {
      const { bbox, near, radius = defaultRadius, cursor, limit = defaultLimit } = query;
      const filters = await filtersOf(query, caller);
      if (bbox) filters.push(inside(bbox));
      if (cursor) filters.push({ _id: { $lt: Number(cursor) || 0 } });
      const filter = { ...(near && around(near, radius)), $and: filters };
      const found = Challenges.find(filter, { outbox: 0 }).limit(limit).lean();
      return (await (near ? found : found.sort({ _id: -1 }))).map(presentChallenge);
    },

    /** Those of a view, by the tiles that it touches; a tile counts as a whole, also what lies just out of view. */
    async clusters(query: ClusterQuery, caller: Caller | undefined): Promise<ChallengeCluster[]> {
      const { bbox, zoom } = query;
      const level = levelFor(bbox, zoom);
      const filters = [...(await filtersOf(query, caller)), inside(roundedOut(bbox, level))];
      const coordinate = (index: number) => ({ $arrayElemAt: ['$location.coordinates', index] });
      const tiles: { _id: string; count: number; lng: number; lat: number; newest: number }[] =
        await Challenges.aggregate([
          { $match: { $and: filters } },
          {
            $group: {
              _id: { $substrCP: ['$cell', 0, level] },
              count: { $sum: 1 },
              lng: { $avg: coordinate(0) },
              lat: { $avg: coordinate(1) },
              newest: { $max: '$_id' },
            },
          },
        ]);
      const newest = await Challenges.find(
        { _id: { $in: tiles.map((tile) => tile.newest) } },
        { city: 1 },
      ).lean();
      const cities = new Map(newest.map(({ _id, city }) => [_id, city]));
      return tiles.map((tile) => ({
        position: { lat: tile.lat, lng: tile.lng },
        count: tile.count,
        city: cities.get(tile.newest) ?? '',
        bbox: boxOf(tile._id),
      }));
    },
  };
}

export type Finding = ReturnType<typeof createFinding>;
