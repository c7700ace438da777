import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Schema } from 'mongoose';
import type { Board, RankingIndexes } from './ranking-index.ts';

/**
 * Where somebody was ranked before a change, or is after it. It is stored by that change and removed once the rankings have
 * counted it, so that a process that dies in between leaves no wrong counts behind (ADR 15).
 */
export interface UncountedPlace {
  /** '' for none. */
  town: string;
  points: number;
  checkedIn: number | null;
}

/** Absent when everything is counted. */
export const uncountedPlaces = {
  type: [
    new Schema<UncountedPlace>(
      { town: String, points: { type: Number, required: true }, checkedIn: Number },
      { _id: false },
    ),
  ],
  default: undefined,
};

/** The places that a change leaves and enters; none if it moves nobody. Undefined: not ranked. */
export const placesBetween = (
  before: UncountedPlace | undefined,
  after: UncountedPlace | undefined,
): UncountedPlace[] =>
  isDeepStrictEqual(before, after) ? [] : [before, after].flatMap((place) => place ?? []);

/** A town in the id of an index, which outlives its people: one of them may have made up the name. */
export const townId = (town: string): string => createHash('sha256').update(town).digest('base64url');

/** Recounts the rankings of towns at a person's places. */
export async function recountTowns(
  indexes: RankingIndexes,
  { userId, places, boardOf }: { userId: number; places: UncountedPlace[]; boardOf(town: string): Board },
): Promise<void> {
  const named = places.filter(({ town }) => town);
  const recountTown = (town: string) => {
    const positions = named.filter((place) => place.town === town).map((place) => ({ ...place, userId }));
    return indexes.recount(boardOf(town), positions);
  };
  await Promise.all([...new Set(named.map(({ town }) => town))].map(recountTown));
}
