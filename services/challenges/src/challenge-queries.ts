import {
  type BoundingBox,
  type Challenge,
  type ChallengeCluster,
  type ChallengesInView,
  distanceInMeters,
  maxClusterZoom,
  maxShown,
  maxShownUnclustered,
  type OperationRequest,
  type Operations,
  type Position,
  placeCategoryOf,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { createMembershipReplica } from '@wayquest/platform/replicas';
import { searchByTokens } from '@wayquest/platform/search';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import type { QueryFilter } from 'mongoose';
import {
  type ChallengeDocument,
  challengeModel,
  presentChallenge,
  presentCluster,
  publicFilter,
} from './challenge.model.ts';
import {
  boxAround,
  boxIndexFilter,
  diagonalOf,
  inBox,
  inPhase,
  inRadius,
  isInBox,
  maxDistance,
  nearestTo,
} from './filters.ts';
import { orderOf, orders } from './orders.ts';
import { countBy, type TileCount, type TileCounts } from './tile-counts.ts';
import { expandToTiles, finestLevelFor, levelFor, maxLevel, tilesIn, world } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Filter = QueryFilter<ChallengeDocument>;
type ListQuery = OperationRequest<Operations['listChallenges']>['query'];
type ClusterQuery = OperationRequest<Operations['listChallengeClusters']>['query'];
type ViewQuery = OperationRequest<Operations['viewChallenges']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 500;

const defaultRadius = 5_000;

/** The cursor of a list by distance is a number to skip, which the store reads again: at most this many. */
export const maxSkipped = 2_000;

const publicProjection = { outbox: 0, words: 0 } as const;

/** The index for the newest at a kind of place. */
const byPlaceCategory = { placeCategory: 1, _id: -1 } as const;

/** Maximum length of a list that is counted. */
const maxCounted = 10_000;

/** Challenges that a scan passes in the time of one fetch by the position index (measured). */
const scannedPerFetch = 8;

/** How many challenges the cursor of a list by distance skips. */
export const offsetOf = (cursor: string | undefined): number =>
  Math.min(maxSkipped, Math.floor(Math.max(0, Number(cursor) || 0)));

/** Whether a list by distance has no radius. Up to `maxSkipped`, it ends with those without a position. */
const isUnbounded = (query: ListQuery): boolean => query.sort === 'nearest' && query.radius === undefined;

/** Queries for challenges: lists and the map. */
export interface ChallengeQueries {
  /** In the requested order, or nearest first around `near`; without a scope the caller's own, or all for visitors. */
  list(query: ListQuery, caller: Caller | undefined): Promise<Challenge[]>;
  /** Clusters of a view, by the tiles that it touches; a tile counts as a whole, also what is just out of view. */
  clusters(query: ClusterQuery, caller: Caller | undefined): Promise<ChallengeCluster[]>;
  /**
   * The length of a whole list, whichever page is requested.
   *
   * @returns Undefined for a person's own challenges, and for more than 10,000, or than a list within a distance can show.
   */
  count(query: ListQuery, caller: Caller | undefined): Promise<number | undefined>;
  /**
   * The challenges of a map's view. If there are more than it can show, the newest, or those nearest to a position in it;
   * clusters are added where the zoom has them.
   */
  view(query: ViewQuery, caller: Caller | undefined): Promise<ChallengesInView>;
}

/** Creates the queries for challenges: lists, searches and the map. */
export function createChallengeQueries({
  kit: { connection, clock },
  tileCounts,
  timeZones,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  tileCounts: TileCounts;
  timeZones: TimeZones;
}): ChallengeQueries {
  const Challenges = challengeModel(connection);
  const { model: Memberships } = createMembershipReplica(connection);

  const scopeOf = ({ scope }: Pick<ListQuery, 'scope'>, caller: Caller | undefined) =>
    scope ?? (caller ? 'mine' : 'all');

  /** Challenges that the person joined, and for `mine` also those that they created. */
  const participationFilter = async (scope: 'mine' | 'joined', userId: number): Promise<Filter> => {
    const participations = await Memberships.find({ userId, left: false }, { challengeId: 1 }).lean();
    const joined = { _id: { $in: participations.map(({ challengeId }) => challengeId) } };
    // Only its creator sees a hidden one.
    return scope === 'mine' ? { $or: [{ 'creator.id': userId }, { ...joined, status: null }] } : joined;
  };

  /** The filters of both the list and the map. Throws `unauthenticated` for a visitor's own challenges. */
  const filtersOf = async (
    query: Pick<ListQuery, 'scope' | 'difficulty' | 'open' | 'search' | 'phase' | 'placeCategory' | 'sort'>,
    caller: Caller | undefined,
  ): Promise<{ filters: Filter[]; isSelective: boolean }> => {
    const { difficulty, open, search, phase, placeCategory, sort } = query;
    const scope = scopeOf(query, caller);
    const filters: Filter[] = [scope === 'mine' ? { deletedAt: null } : publicFilter];
    if (scope !== 'all') {
      if (!caller) throw new Problem('unauthenticated');
      filters.push(await participationFilter(scope, caller.id));
    }
    if (difficulty) filters.push({ difficulty });
    if (placeCategory) filters.push({ placeCategory });
    const phases = [open ? 'open' : undefined, phase, sort === 'ending' ? 'ending' : undefined] as const;
    for (const each of phases)
      if (each) filters.push(inPhase(each, new Date(clock.now()), await timeZones.all()));
    if (!search) return { filters, isSelective: false };
    const { filter, isSelective } = await searchByTokens(Challenges, search);
    return { filters: [...filters, filter], isSelective };
  };

  /** The approximate number of challenges on the map in a box. */
  const estimateCount = async (box: BoundingBox): Promise<number> => {
    const found = await tileCounts.read(tilesIn(box, finestLevelFor(box, maxLevel, 16)));
    return found.reduce((sum, { count }) => sum + count, 0);
  };

  /** Whether scanning from the newest on finds `limit` challenges of a box sooner than the index on positions. */
  const isScanFaster = async (box: BoundingBox, limit: number): Promise<boolean> => {
    const [within, all] = [await estimateCount(box), await estimateCount(world)];
    const scannedCount = Math.min(all, (limit * all) / within);
    return scannedCount < scannedPerFetch * within;
  };

  /** Counts up to a maximum; what no index narrows is read in the order of an index. */
  const countUpTo = (
    max: number,
    { placeCategory, phase, open, search, sort }: ListQuery,
    filters: Filter[],
  ) => {
    const hasIndex =
      filters.some((each) => 'location' in each) || phase || open || search || sort === 'ending';
    return Challenges.countDocuments(
      { $and: filters },
      { limit: max + 1, ...(!hasIndex && { hint: placeCategory ? byPlaceCategory : { _id: 1 } }) },
    );
  };

  /** For few matches, sorted in memory: the position index would read all challenges in between. */
  const sortByDistanceInMemory = async (
    near: Position,
    radius: number,
    filters: Filter[],
    [from, to]: [number, number],
  ) => {
    const found = await Challenges.find({ $and: filters }, { location: 1 })
      .sort(orders.newest.sort)
      .limit(maxSkipped)
      .lean();
    const ids = found
      .map(({ _id, location }) => {
        const [lng = 0, lat = 0] = location?.coordinates ?? [];
        return { _id, meters: location ? distanceInMeters(near, { lat, lng }) : maxDistance };
      })
      .filter(({ meters }) => meters <= radius)
      .sort((a, b) => a.meters - b.meters)
      .slice(from, to)
      .map(({ _id }) => _id);
    const page = await Challenges.find({ _id: { $in: ids } }, publicProjection).lean();
    return page.sort((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id));
  };

  /** The nearest first. */
  const nearest = async (query: ListQuery, near: Position, filters: Filter[], isSelective: boolean) => {
    const { cursor, limit = defaultLimit } = query;
    const radius = isUnbounded(query) ? maxDistance : (query.radius ?? defaultRadius);
    const skip = offsetOf(cursor);
    const fitsInMemory =
      isSelective || (isUnbounded(query) && (await countUpTo(maxSkipped, query, filters)) <= maxSkipped);
    if (fitsInMemory) return sortByDistanceInMemory(near, radius, filters, [skip, skip + limit]);
    const found = Challenges.find({ ...nearestTo(near, radius), $and: filters }, publicProjection);
    return found.skip(skip).limit(limit).lean();
  };

  const list = async (query: ListQuery, caller: Caller | undefined): Promise<Challenge[]> => {
    const { bbox, near, radius = defaultRadius, cursor, limit = defaultLimit } = query;
    const { filters, isSelective } = await filtersOf(query, caller);
    if (bbox) filters.push(inBox(bbox));
    const orderName = orderOf(query);
    if (orderName === 'nearest')
      return near ? (await nearest(query, near, filters, isSelective)).map(presentChallenge) : [];
    const { sort, after, ...order } = orders[orderName];
    const index = query.placeCategory && orderName === 'newest' ? byPlaceCategory : order.index;
    if (near) filters.push(inRadius(near, radius));
    if (cursor) filters.push(after(cursor));
    const box = near ? boxAround(near, radius) : bbox;
    const crowded =
      !isSelective && scopeOf(query, caller) === 'all' && (!box || (await isScanFaster(box, limit)));
    if (bbox && !near && !crowded && !isSelective) filters.push(boxIndexFilter(bbox));
    const found = Challenges.find({ $and: filters }, publicProjection).sort(sort).limit(limit).lean();
    return (await (crowded ? found.hint(index) : found)).map(presentChallenge);
  };

  /** Clusters for the map; a single challenge has the icon of its place category. */
  const presentClusters = async (found: (TileCount & { tile: string })[]): Promise<ChallengeCluster[]> => {
    const singleIds = found.filter(({ count }) => count === 1).map(({ newest }) => newest);
    const challenges = singleIds.length
      ? await Challenges.find(
          { _id: { $in: singleIds } },
          { name: 1, locationName: 1, placeCategory: 1 },
        ).lean()
      : [];
    const placeCategories = new Map(challenges.map(({ _id, ...words }) => [_id, placeCategoryOf(words)]));
    return found.map(({ tile, ...tileCount }) =>
      presentCluster(
        tile,
        tileCount,
        tileCount.count === 1 ? placeCategories.get(tileCount.newest) : undefined,
      ),
    );
  };

  const clusters = async (query: ClusterQuery, caller: Caller | undefined): Promise<ChallengeCluster[]> => {
    const { bbox, zoom, difficulty, open, search } = query;
    const level = levelFor(bbox, zoom);
    if (scopeOf(query, caller) === 'all' && !search) {
      const kind = { ...(difficulty && { difficulty }), ...(open && { open: true }) };
      return presentClusters(await tileCounts.read(tilesIn(bbox, level), kind));
    }
    const box = expandToTiles(bbox, level);
    const { filters, isSelective } = await filtersOf(query, caller);
    const skipsPositionIndex =
      isSelective ||
      (scopeOf(query, caller) === 'all' && (await isScanFaster(box, Number.POSITIVE_INFINITY)));
    const within = skipsPositionIndex ? inBox(box) : { $and: [inBox(box), boxIndexFilter(box)] };
    const filter = { $and: [...filters, within] };
    const found = await countBy<string>(Challenges, filter, { $substrCP: ['$tile', 0, level] });
    return presentClusters(found.map(({ _id: tile, ...tileCount }) => ({ tile, ...tileCount })));
  };

  return {
    list,
    clusters,

    async count(query: ListQuery, caller: Caller | undefined): Promise<number | undefined> {
      const { bbox, near, radius = defaultRadius } = query;
      if (scopeOf(query, caller) !== 'all') return undefined;
      const { filters } = await filtersOf(query, caller);
      const circle = near && !isUnbounded(query) && inRadius(near, radius);
      if (bbox) filters.push(inBox(bbox));
      if (circle) filters.push(circle);
      else if (bbox) filters.push(boxIndexFilter(bbox));
      const max = circle && orderOf(query) === 'nearest' ? maxSkipped : maxCounted;
      const counted = await countUpTo(max, query, filters);
      return counted > max ? undefined : counted;
    },

    async view(query: ViewQuery, caller: Caller | undefined): Promise<ChallengesInView> {
      const { zoom, near, ...filters } = query;
      const isCloseUp = zoom > maxClusterZoom;
      const max = isCloseUp ? maxShownUnclustered : maxShown;
      const newest = await list({ ...filters, limit: max + 1 }, caller);
      if (newest.length <= max) return { challenges: newest, clusters: [] };
      const [challenges, clustered] = await Promise.all([
        near && isInBox(near, filters.bbox)
          ? list({ ...filters, near, radius: diagonalOf(filters.bbox), limit: max }, caller)
          : newest.slice(0, max),
        isCloseUp ? [] : clusters({ ...filters, zoom }, caller),
      ]);
      return { challenges, clusters: clustered };
    },
  };
}
