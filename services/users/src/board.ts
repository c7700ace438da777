import type { Event } from '@wayquest/contracts';
import { createBatcher } from '@wayquest/platform/process';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { boardModel, type Section, type Standing } from './board.model.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';

/** A ranking as it is at a moment. */
export interface Ranking {
  total: number;
  /** Where somebody stands in it, or would. */
  standingOf(userId: number): Promise<Standing>;
  /** How many stand before a place in it. */
  ahead(of: Standing): Promise<number>;
  /** Who stands after so many. */
  standings(skip: number, limit: number): Promise<Standing[]>;
}

/** What a change does to the ranking; who is new in it stood nowhere before. */
interface Move {
  now: Standing;
  before: Standing | undefined;
}

/** A section that holds more is cut. */
const most = 1_000;
/** How many are in each part, and how many two neighbours hold together when they become one. */
const part = 500;

/** The one of everybody, of all time. */
const everybody = 'all';
const first: Standing = { points: Number.MAX_SAFE_INTEGER, userId: 0 };

export const byStanding = (one: Standing, other: Standing): number =>
  other.points - one.points || (other.checkedIn ?? 0) - (one.checkedIn ?? 0) || one.userId - other.userId;

/** The ranking of a few, in their order. */
export const rankingOf = (standings: Standing[]): Ranking => ({
  total: standings.length,
  standingOf: async (userId) =>
    standings.find((standing) => standing.userId === userId) ?? { userId, points: 0 },
  ahead: async (of) => standings.filter((standing) => byStanding(standing, of) < 0).length,
  standings: async (skip, limit) => standings.slice(skip, skip + limit),
});

/** Who stands from here on, before a place further down or to the end: at most three ranges of the index. */
const between = (from: Standing, to?: Standing): QueryFilter<ProfileDocument> =>
  from.points === to?.points
    ? { points: from.points, _id: { $gte: from.userId, $lt: to.userId } }
    : {
        $or: [
          { points: from.points, _id: { $gte: from.userId } },
          // Whole numbers with their ends: a store may read those of an open range too, and very many have no points.
          { points: { $lte: from.points - 1, ...(to && { $gte: to.points + 1 }) } },
          ...(to ? [{ points: to.points, _id: { $lt: to.userId } }] : []),
        ],
      };

const sectionAt = (sections: Section[], standing: Standing): number =>
  Math.max(
    0,
    sections.findLastIndex((section) => byStanding(section, standing) <= 0),
  );

/** Neighbours that hold few become one. */
function merged(sections: Section[]): Section[] {
  const done: Section[] = [];
  for (const section of sections) {
    const last = done.at(-1);
    if (last && last.count + section.count <= part) last.count += section.count;
    else done.push({ ...section });
  }
  return done;
}

/**
 * The ranking of everybody, as counts of its sections: a place in it is found in one of them, however many people there
 * are. It is moved by what profiles' outboxes tell. Counts are never added to, always counted again, so it does no harm to
 * count twice or late.
 */
export function createBoard({ connection }: Pick<ServiceKit, 'connection'>) {
  const Boards = boardModel(connection);
  const Profiles = profileModel(connection);

  const count = (from: Standing, to?: Standing) => Profiles.countDocuments(between(from, to));

  /** Those of the index alone: no profile is read for it. */
  const standings = (from: Standing, to?: Standing) =>
    Profiles.find(between(from, to), { points: 1 }).sort({ points: -1, _id: 1 }).lean();

  /** A stretch of the ranking, counted one by one and cut into sections. */
  const cut = async (from: Standing, to?: Standing): Promise<Section[]> => {
    let section = { ...from, count: 0 };
    const sections = [section];
    for await (const { _id: userId, points } of standings(from, to).cursor()) {
      if (section.count === part) {
        section = { points, userId, count: 0 };
        sections.push(section);
      }
      section.count += 1;
    }
    return sections;
  };

  /** Made from the profiles where there is none. */
  const load = async () => {
    const board = await Boards.findById(everybody).lean();
    if (board) return board;
    await upsert(
      Boards,
      { _id: everybody },
      { $setOnInsert: { version: 1, sections: merged(await cut(first)) } },
    );
    return Boards.findById(everybody).lean().orFail();
  };

  /** Counts sections again, and cuts those that hold too many. */
  const counted = async (sections: Section[], wanted: Set<number>): Promise<Section[]> => {
    const parts = sections.map(async (section, index) => {
      if (!wanted.has(index)) return section;
      const next = sections[index + 1];
      const now = { ...section, count: await count(section, next) };
      return now.count > most ? cut(section, next) : now;
    });
    return merged((await Promise.all(parts)).flat());
  };

  /**
   * Moves people who have moved already. The version is read before what is counted: whoever writes has counted all that
   * the one before had, and who comes too late counts again.
   */
  const move = createBatcher<Move, void>(async (asked) => {
    await retryOnConflict(async () => {
      const { version, sections } = await load();
      const touched = asked.flatMap(({ item: { before, now } }) => {
        const to = sectionAt(sections, now);
        const from = before ? sectionAt(sections, before) : undefined;
        return from === to ? [] : [to, from ?? to];
      });
      // Within a section its count stays; but who counts it meanwhile may have passed by somebody who moved.
      const changed = touched.length ? { sections: await counted(sections, new Set(touched)) } : {};
      const { matchedCount } = await Boards.updateOne(
        { _id: everybody, version },
        { $set: { ...changed, version: version + 1 } },
      );
      return matchedCount ? true : undefined;
    });
    for (const { resolve } of asked) resolve();
  });

  return {
    /** Makes it of the profiles of a store that has none. */
    async prepare(): Promise<void> {
      await load();
    },

    /** Follows what a profile's outbox tells. */
    async follow({ name, data }: Event): Promise<void> {
      if (name === 'points.awarded.v1' || name === 'points.withdrawn.v1') {
        const { userId, points } = data;
        const { pointsBefore = points - (name === 'points.awarded.v1' ? data.awarded : 0) } = data;
        if (pointsBefore !== points)
          await move({ before: { userId, points: pointsBefore }, now: { userId, points } });
      }
      if (name === 'user.profile-changed.v1') {
        const { version, pointsBefore, user } = data;
        const { id: userId, points } = user;
        if (version > 1 && pointsBefore === undefined) return;
        const before = pointsBefore === undefined ? undefined : { userId, points: pointsBefore };
        await move({ before, now: { userId, points } });
      }
    },

    /** Counts again where somebody stood. */
    recount: (now: Standing): Promise<void> => move({ before: undefined, now }),

    async ranking(): Promise<Ranking> {
      const { sections } = await load();
      let total = 0;
      const ends = sections.map((section) => {
        total += section.count;
        return total;
      });
      return {
        total,

        async standingOf(userId) {
          const profile = await Profiles.findById(userId, { points: 1 }).lean();
          return { userId, points: profile?.points ?? 0 };
        },

        async ahead(of) {
          const index = sectionAt(sections, of);
          return (ends[index - 1] ?? 0) + (await count(sections[index] ?? first, of));
        },

        async standings(skip, limit) {
          const begin = ends.findIndex((end) => end > skip);
          const from = sections[begin];
          if (!from) return [];
          const last = ends.findIndex((end) => end >= skip + limit);
          const to = last < 0 ? undefined : sections[last + 1];
          const found = await standings(from, to)
            .skip(skip - (ends[begin - 1] ?? 0))
            .limit(limit);
          return found.map(({ _id: userId, points }) => ({ userId, points }));
        },
      };
    },
  };
}

export type Board = ReturnType<typeof createBoard>;
