import {
  type BoundingBox,
  type Challenge,
  type ChallengeCluster,
  type ChallengesInView,
  maxClusteredZoom,
  maxShown,
  maxShownCloseUp,
  type OperationRequest,
  type Operations,
  sceneOf,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import { createMembershipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { searchByTokens } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { type ChallengeDocument, challengeModel, live } from './challenge.model.ts';
import { presentChallenge } from './challenge.presenter.ts';
import { presentCluster } from './cluster.presenter.ts';
import { inBox, inPhase, inRadius, nearBox, nearestTo } from './filters.ts';
import { orders } from './orders.ts';
import { countBy, type TileCount } from './tile-count.ts';
import type { TileCounts } from './tile-counts.ts';
import { finestLevel, levelFor, levelWithin, roundedOut, tilesIn, world } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Filter = QueryFilter<ChallengeDocument>;
type ListQuery = OperationRequest<Operations['listChallenges']>['query'];
type ClusterQuery = OperationRequest<Operations['listChallengeClusters']>['query'];

/** Page size without a `limit`. */
export const defaultLimit = 500;

const defaultRadius = 5_000;

/** The cursor of a list by distance is a number to skip, which the store reads again: at most this many. */
export const maxSkipped = 2_000;

const shown = { outbox: 0, words: 0 } as const;

/** The index for the newest at a kind of place. */
const byScene = { scene: 1, _id: -1 } as const;

/** Maximum length of a list that is counted. */
const maxCounted = 10_000;

/** How many challenges a store scans in the time in which it fetches one by the index on positions. Measured. */
const passedByPerFetch = 8;

/** How many challenges the cursor of a list by distance skips. */
export const skippedBy = (cursor: string | undefined): number =>
  Math.min(maxSkipped, Math.floor(Math.max(0, Number(cursor) || 0)));

/** Queries for challenges: lists and the map. */
export interface Finding {
  /** In the requested order, or nearest first with `near`; without a scope the caller's own, or all for visitors. */
  list(query: ListQuery, caller: Caller | undefined): Promise<Challenge[]>;
  /** Clusters of a view, by the tiles that it touches; a tile counts as a whole, also what is just out of view. */
  clusters(query: ClusterQuery, caller: Caller | undefined): Promise<ChallengeCluster[]>;
  /**
   * The length of a whole list, whichever page is requested.
   *
   * @returns Undefined for a person's own challenges, and for more than 10,000, or than a list by distance can show.
   */
  count(query: ListQuery, caller: Caller | undefined): Promise<number | undefined>;
  /** The challenges of a map's view; if there is one more than it can show, clusters are added. */
  view(query: ClusterQuery, caller: Caller | undefined): Promise<ChallengesInView>;
}

/** Creates the queries for challenges: lists, searches and the map. */
export function createFinding({
  kit: { connection, clock },
  tileCounts,
  timeZones,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  tileCounts: TileCounts;
  timeZones: TimeZones;
}): Finding {
  const Challenges = challengeModel(connection);
  const { model: Memberships } = createMembershipReplica(connection);

  const scopeOf = ({ scope }: Pick<ListQuery, 'scope'>, caller: Caller | undefined) =>
    scope ?? (caller ? 'mine' : 'all');

  /** Challenges that the person joined, and for `mine` also those that they created. */
  const ofPerson = async (scope: 'mine' | 'joined', userId: number): Promise<Filter> => {
    const lines = await Memberships.find({ userId, left: false }, { challengeId: 1 }).lean();
    const joined = { _id: { $in: lines.map(({ challengeId }) => challengeId) } };
    // Only its creator sees a hidden one.
    return scope === 'mine' ? { $or: [{ 'creator.id': userId }, { ...joined, status: null }] } : joined;
  };

  /** The filters of both the list and the map. Throws `unauthenticated` for a visitor's own challenges. */
  const filtersOf = async (
    query: Pick<ListQuery, 'scope' | 'difficulty' | 'open' | 'search' | 'phase' | 'scene' | 'sort'>,
    caller: Caller | undefined,
  ): Promise<{ filters: Filter[]; isSelective: boolean }> => {
    const { difficulty, open, search, phase, scene, sort } = query;
    const scope = scopeOf(query, caller);
    const filters: Filter[] = [scope === 'mine' ? { deletedAt: null } : live];
    if (scope !== 'all') {
      if (!caller) throw new Problem('unauthenticated');
      filters.push(await ofPerson(scope, caller.id));
    }
    if (difficulty) filters.push({ difficulty });
    if (scene) filters.push({ scene });
    const phases = [open ? 'open' : undefined, phase, sort === 'ending' ? 'ending' : undefined] as const;
    for (const each of phases)
      if (each) filters.push(inPhase(each, new Date(clock.now()), await timeZones.all()));
    if (!search) return { filters, isSelective: false };
    const { filter, isSelective } = await searchByTokens(Challenges, search);
    return { filters: [...filters, filter], isSelective };
  };

  /** The approximate number of challenges on the map in a box. */
  const countAbout = async (box: BoundingBox): Promise<number> => {
    const found = await tileCounts.read(tilesIn(box, levelWithin(box, finestLevel, 16)));
    return found.reduce((sum, { count }) => sum + count, 0);
  };

  /** Whether scanning from the newest on finds `limit` challenges of a box sooner than the index on positions. */
  const isCrowded = async (box: BoundingBox, limit: number): Promise<boolean> => {
    const [within, all] = [await countAbout(box), await countAbout(world)];
    const passedBy = Math.min(all, (limit * all) / within);
    return passedBy < passedByPerFetch * within;
  };

  /** In the requested order, or nearest first with `near`; without a scope the caller's own, or all for visitors. */
  const list = async (query: ListQuery, caller: Caller | undefined): Promise<Challenge[]> => {
    const { bbox, near, radius = defaultRadius, cursor, limit = defaultLimit } = query;
    const wanted = query.sort ?? 'newest';
    const { sort, after, ...order } = orders[wanted];
    const index = query.scene && wanted === 'newest' ? byScene : order.index;
    const { filters, isSelective } = await filtersOf(query, caller);
    if (bbox) filters.push(inBox(bbox));
    if (near) {
      const nearest = { ...nearestTo(near, radius), $and: filters };
      const found = Challenges.find(nearest, shown).skip(skippedBy(cursor)).limit(limit);
      return (await found.lean()).map(presentChallenge);
    }
    if (cursor) filters.push(after(cursor));
    const crowded =
      !isSelective && scopeOf(query, caller) === 'all' && (!bbox || (await isCrowded(bbox, limit)));
    if (bbox && !crowded && !isSelective) filters.push(nearBox(bbox));
    const found = Challenges.find({ $and: filters }, shown).sort(sort).limit(limit).lean();
    return (await (crowded ? found.hint(index) : found)).map(presentChallenge);
  };

  /** Clusters for the map; a single challenge in a tile has the sign of its kind of place. */
  const presentClusters = async (found: (TileCount & { tile: string })[]): Promise<ChallengeCluster[]> => {
    const alone = found.filter(({ count }) => count === 1).map(({ newest }) => newest);
    const challenges = alone.length
      ? await Challenges.find({ _id: { $in: alone } }, { name: 1, locationName: 1, scene: 1 }).lean()
      : [];
    const scenes = new Map(challenges.map(({ _id, ...words }) => [_id, sceneOf(words)]));
    return found.map(({ tile, ...tally }) =>
      presentCluster(tile, tally, tally.count === 1 ? scenes.get(tally.newest) : undefined),
    );
  };

  /** Clusters of a view, by the tiles that it touches; a tile counts as a whole, also what is just out of view. */
  const clusters = async (query: ClusterQuery, caller: Caller | undefined): Promise<ChallengeCluster[]> => {
    const { bbox, zoom, difficulty, open, search } = query;
    const level = levelFor(bbox, zoom);
    if (scopeOf(query, caller) === 'all' && !search) {
      const kind = { ...(difficulty && { difficulty }), ...(open && { open: true }) };
      return presentClusters(await tileCounts.read(tilesIn(bbox, level), kind));
    }
    const box = roundedOut(bbox, level);
    const { filters, isSelective } = await filtersOf(query, caller);
    const everywhere =
      isSelective || (scopeOf(query, caller) === 'all' && (await isCrowded(box, Number.POSITIVE_INFINITY)));
    const within = everywhere ? inBox(box) : { $and: [inBox(box), nearBox(box)] };
    const wanted = { $and: [...filters, within] };
    const found = await countBy<string>(Challenges, wanted, { $substrCP: ['$tile', 0, level] });
    return presentClusters(found.map(({ _id: tile, ...tally }) => ({ tile, ...tally })));
  };

  return {
    list,
    clusters,

    async count(query: ListQuery, caller: Caller | undefined): Promise<number | undefined> {
      const { bbox, near, radius = defaultRadius, scene, phase, open, search, sort } = query;
      if (scopeOf(query, caller) !== 'all') return undefined;
      const { filters } = await filtersOf(query, caller);
      const region = near ? inRadius(near, radius) : bbox ? nearBox(bbox) : {};
      if (bbox) filters.push(inBox(bbox));
      const max = near ? maxSkipped : maxCounted;
      const hasIndex = 'location' in region || phase || open || search || sort === 'ending';
      const counted = await Challenges.countDocuments(
        { $and: [...filters, region] },
        { limit: max + 1, ...(!hasIndex && { hint: scene ? byScene : { _id: 1 } }) },
      );
      return counted > max ? undefined : counted;
    },

    async view(query: ClusterQuery, caller: Caller | undefined): Promise<ChallengesInView> {
      const { zoom, ...filters } = query;
      if (zoom > maxClusteredZoom) {
        return { challenges: await list({ ...filters, limit: maxShownCloseUp }, caller), clusters: [] };
      }
      const newest = await list({ ...filters, limit: maxShown + 1 }, caller);
      if (newest.length <= maxShown) return { challenges: newest, clusters: [] };
      return { challenges: newest.slice(0, maxShown), clusters: await clusters(query, caller) };
    },
  };
}
