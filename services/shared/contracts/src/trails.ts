import { z } from 'zod';
import { Position } from './geography.ts';
import { operation } from './operation.ts';
import { Cursor, Day, Id, IdText, limit, Moment } from './primitives.ts';
import { Audience } from './privacy.ts';
import { scenes } from './scenes.ts';

/** A completed challenge in somebody's trail book. */
export const Stamp = z
  .object({
    lineId: Id,
    challengeId: Id,
    name: z.string(),
    locationName: z.string(),
    city: z.string(),
    scene: z.enum(scenes).optional(),
    points: z.int().positive(),
    completedAt: Moment,
    day: Day.meta({ description: 'On which it was completed, by the clocks where it is; fixed since then.' }),
    own: z.boolean().meta({ description: 'Of a challenge that they made themselves.' }),
  })
  .meta({ id: 'Stamp' });
export type Stamp = z.infer<typeof Stamp>;

/** As many as are counted: the newest. */
export const maxStamps = 1_000;

/** Where on the map a completed challenge is. */
export const TrailPlace = z
  .object({ challengeId: Id, name: z.string(), position: Position })
  .meta({ id: 'TrailPlace' });
export type TrailPlace = z.infer<typeof TrailPlace>;

/** All places of a trail book, and to the person alone, whom they let see them. */
export const TrailMap = z
  .object({ places: z.array(TrailPlace), shownTo: Audience.optional() })
  .meta({ id: 'TrailMap' });
export type TrailMap = z.infer<typeof TrailMap>;

/** Where somebody has been: what they completed and are still in. */
export const TrailBook = z
  .object({
    stamps: z.array(Stamp).meta({ description: 'The newest first, a page of them.' }),
    total: z.int().nonnegative().max(maxStamps),
    own: z.int().nonnegative().meta({ description: 'How many of them of their own making.' }),
    scenes: z
      .array(z.object({ scene: z.enum(scenes), count: z.int().positive() }))
      .meta({ description: 'How many at which kind of place, the most first.' }),
    towns: z.int().nonnegative().meta({ description: 'In how many towns they are.' }),
    weeksInARow: z.int().nonnegative().meta({
      description:
        'Weeks (ISO) with a completion, by the days of the stamps, up to now, with no more than two a month without one between them.',
    }),
    kept: z.literal(true).optional().meta({
      description: 'The person does not show it to the reader, so that nothing of it is told.',
    }),
    map: TrailMap.optional().meta({
      description: 'With the first page, and only for the person and whom they let see it.',
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
    summary: 'Where a person has been: what they completed, the newest first, and what that comes to',
    params: z.object({ id: IdText }),
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    answer: TrailBook,
    problems: ['unauthenticated', 'user-not-found'],
  }),
  showTrailMap: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/trails/{id}/map',
    access: 'owner',
    summary:
      'Choose who may see the map of where one has been; nobody else at first. `id` is the caller’s own',
    params: z.object({ id: IdText }),
    body: z.object({ shownTo: Audience }),
    status: [200],
    answer: z.object({ shownTo: Audience }),
    problems: ['unauthenticated', 'forbidden'],
  }),
};
