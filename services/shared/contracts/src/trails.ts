import { z } from 'zod';
import { Position } from './geography.ts';
import { operation } from './operation.ts';
import { placeCategories } from './place-categories.ts';
import { SuggestionTemplate } from './places.ts';
import { Cursor, Day, Id, IdText, limit, Timestamp } from './primitives.ts';
import { Audience } from './privacy.ts';

/** A completed challenge in a trail book. */
export const Stamp = z
  .object({
    participationId: Id,
    challengeId: Id,
    name: z.string(),
    template: SuggestionTemplate.optional(),
    locationName: z.string(),
    city: z.string(),
    placeCategory: z.enum(placeCategories).optional(),
    points: z.int().positive(),
    completedAt: Timestamp,
    day: Day.meta({ description: 'Date of completion in the time zone of the place; fixed at completion.' }),
    own: z.boolean().meta({ description: 'Whether it is the person’s own challenge.' }),
  })
  .meta({ id: 'Stamp' });
export type Stamp = z.infer<typeof Stamp>;

/** How many of the newest completions are counted. */
export const maxStamps = 1_000;

/** Position of a completed challenge. */
export const TrailPlace = z
  .object({
    challengeId: Id,
    name: z.string(),
    template: SuggestionTemplate.optional(),
    position: Position,
  })
  .meta({ id: 'TrailPlace' });
export type TrailPlace = z.infer<typeof TrailPlace>;

/** All positions of a trail book and, for its owner only, who may see them. */
export const TrailMap = z
  .object({ places: z.array(TrailPlace), visibility: Audience.optional() })
  .meta({ id: 'TrailMap' });
export type TrailMap = z.infer<typeof TrailMap>;

/** A trail book: the challenges that a person completed and has not left. */
export const TrailBook = z
  .object({
    stamps: z.array(Stamp).meta({ description: 'Newest first, one page.' }),
    total: z.int().nonnegative().max(maxStamps),
    own: z.int().nonnegative().meta({ description: 'How many are of the person’s own challenges.' }),
    placeCategories: z
      .array(z.object({ placeCategory: z.enum(placeCategories), count: z.int().positive() }))
      .meta({ description: 'Counts by kind of place, largest first.' }),
    towns: z.int().nonnegative().meta({ description: 'Number of towns.' }),
    weeklyStreak: z.int().nonnegative().meta({
      description:
        'Current streak: consecutive ISO weeks with a completion, with up to two grace weeks a month.',
    }),
    hidden: z.literal(true).optional().meta({
      description: 'Hidden from the reader by the person’s privacy settings; everything else is empty.',
    }),
    map: TrailMap.optional().meta({
      description: 'On the first page only, if the reader may see it.',
    }),
  })
  .meta({ id: 'TrailBook' });
export type TrailBook = z.infer<typeof TrailBook>;

export const trailOperations = {
  getTrailBook: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/trails/{id}',
    access: 'member',
    weight: 2,
    summary: 'Get a person’s trail book: completions, newest first, and totals',
    params: z.object({ id: IdText }),
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: TrailBook,
    problems: ['unauthenticated', 'user-not-found'],
  }),
  showTrailMap: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/trails/{id}/map',
    access: 'owner',
    summary:
      'Choose who may see the map of the caller’s trail book; nobody by default. `id` is the caller’s own',
    params: z.object({ id: IdText }),
    body: z.object({ visibility: Audience }),
    status: [200],
    response: z.object({ visibility: Audience }),
    problems: ['unauthenticated', 'forbidden'],
  }),
};
