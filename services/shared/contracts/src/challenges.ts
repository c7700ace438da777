import { z } from 'zod';
import { timeZoneNamed } from './day-in.ts';
import { difficulties } from './difficulties.ts';
import { BoundingBox, Near, Position } from './geography.ts';
import { Status } from './moderation.ts';
import { operation } from './operation.ts';
import { Cursor, Day, DayInput, Id, IdText, limit, Moment, Zip } from './primitives.ts';
import { scenes } from './scenes.ts';
import { freeText, line } from './text.ts';
import { textLimits } from './text-limits.ts';

export const Difficulty = z.enum(difficulties).meta({ id: 'Difficulty' });
export type Difficulty = z.infer<typeof Difficulty>;

const difficultyByInput = new Map<string, Difficulty>(difficulties.map((name) => [name.toLowerCase(), name]));

const DifficultyInput = z.preprocess(
  (value) =>
    typeof value === 'string' ? (difficultyByInput.get(value.trim().toLowerCase()) ?? value) : value,
  Difficulty,
);

/** A challenge as every service knows it. */
export const ChallengeDetails = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    difficulty: Difficulty,
    points: z.int().min(1).max(100),
    locationName: z.string(),
    streetAddress: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    scene: z
      .enum(scenes)
      .optional()
      .meta({ description: 'The kind of place. Older versions do not tell it.' }),
    startDate: Day.nullable().meta({ description: 'None: open since ever. A day in timeZone.' }),
    endDate: Day.nullable().meta({ description: 'None: open for ever. The day itself counts.' }),
    timeZone: z.string().meta({ description: 'IANA name, of the place' }),
    position: Position.nullable().meta({ description: 'None: listed, but not pinned on the map.' }),
    checkInAsked: z.boolean().optional().meta({
      description: 'Whether it is completed by a check-in alone. Older versions do not tell it.',
    }),
    creator: z.object({ id: Id, username: z.string() }),
    createdAt: Moment,
    status: Status.optional().meta({
      description: 'hidden: its maker and admins alone see it. Older versions do not tell it.',
    }),
  })
  .meta({ id: 'ChallengeDetails' });
export type ChallengeDetails = z.infer<typeof ChallengeDetails>;

export const Challenge = ChallengeDetails.extend({ participants: z.int().nonnegative() }).meta({
  id: 'Challenge',
});
export type Challenge = z.infer<typeof Challenge>;

const Points = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,3}$/)
        .transform(Number),
    ],
    'must be a number',
  )
  .pipe(z.int().min(1).max(100));

/** A number left out of a form arrives as nothing, null or ''. */
const blank = z.union([z.null(), z.literal('')]).transform(() => undefined);

/** What its maker says of a challenge and may change later. */
const Wording = z.object({
  name: line(textLimits.challengeName).min(1, 'must not be empty'),
  description: freeText(textLimits.challengeDescription).default(''),
  difficulty: DifficultyInput,
  points: z
    .union([Points, blank])
    .optional()
    .meta({ description: 'By difficulty (10, 20, 30) when missing.' }),
  startDate: DayInput.default(null),
  endDate: DayInput.default(null),
  scene: z
    .union([z.enum(scenes), blank])
    .optional()
    .meta({ description: 'The kind of place; told by the words when missing.' }),
  checkInAsked: z.boolean().optional().meta({
    description: 'Complete it by a check-in alone; only where it is on the map. Missing: no, or as it was.',
  }),
});

const inOrder = ({ startDate, endDate }: { startDate: string | null; endDate: string | null }) =>
  !startDate || !endDate || startDate <= endDate;
const outOfOrder = { path: ['endDate'], error: 'must not be before the start date' };

/** Why nobody can check in there. */
export const needsPlace = 'needs a place on the map';

/** A new challenge. The creator is the caller, whatever the body says. */
export const NewChallenge = Wording.extend({
  locationName: line(textLimits.locationName).default(''),
  streetAddress: line(textLimits.streetAddress).default(''),
  city: line(textLimits.city).default(''),
  state: line(textLimits.state).default(''),
  zip: z.union([Zip, z.null().transform(() => '')]).default(''),
  position: Position.nullable().default(null),
  timeZone: z.string().max(100).transform(timeZoneNamed).optional().meta({
    description:
      'IANA name of the zone that its maker is in; one that is not known is ignored. The zone of its position counts more, and that of its city.',
  }),
})
  .refine(inOrder, outOfOrder)
  .refine(({ checkInAsked, position }) => !checkInAsked || position, {
    path: ['checkInAsked'],
    error: needsPlace,
  })
  .meta({ id: 'NewChallenge' });
export type NewChallenge = z.output<typeof NewChallenge>;

/** A challenge as its maker wants it from now on. Its place stays: people may be on their way there. */
export const ChallengeChange = Wording.refine(inOrder, outOfOrder).meta({
  id: 'ChallengeChange',
  description: 'A last day that is past closes it: nobody completes it any more.',
});
export type ChallengeChange = z.output<typeof ChallengeChange>;

/** Many challenges of a view, drawn as one. */
export const ChallengeCluster = z
  .object({
    position: Position.meta({ description: 'The mean of its challenges' }),
    count: z.int().positive(),
    newest: Id.meta({ description: "Its newest challenge's; the only one's where the count is 1" }),
    city: z.string().meta({ description: "Its newest challenge's" }),
    scene: z.enum(scenes).optional().meta({ description: "The only one's, where the count is 1" }),
    bbox: z
      .object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })
      .meta({ description: 'The cell of the map that it stands for' }),
  })
  .meta({ id: 'ChallengeCluster' });
export type ChallengeCluster = z.infer<typeof ChallengeCluster>;

/** As many challenges as a map shows one by one; more are counted. */
export const maxShown = 100;

/** As many as it shows where nothing is counted any more. */
export const maxShownCloseUp = 500;

/** Closer than this nothing is counted together (spec, section 9). */
export const maxClusteredZoom = 16;

/** What a map shows of a view. */
export const ChallengesInView = z
  .object({
    challenges: z
      .array(Challenge)
      .meta({ description: 'The newest in the view; all of them where there are no clusters.' }),
    clusters: z
      .array(ChallengeCluster)
      .meta({ description: 'Where there are more than those: all of them, counted.' }),
  })
  .meta({ id: 'ChallengesInView' });
export type ChallengesInView = z.infer<typeof ChallengesInView>;

/** Where a challenge stands today, by its days and the day that it is at its place. */
export const Phase = z.enum(['open', 'upcoming', 'ended']);
export type Phase = z.infer<typeof Phase>;

/** How a list is ordered; of equals the newest comes first. */
export const ChallengeOrder = z.enum(['newest', 'ending', 'joined']);
export type ChallengeOrder = z.infer<typeof ChallengeOrder>;

/** Which challenges: the list and the map ask alike. */
const ChallengeFilters = z.object({
  scope: z
    .enum(['all', 'mine', 'joined'])
    .optional()
    .meta({ description: 'mine: the caller made or joined them. Without one: mine with a token, else all.' }),
  difficulty: DifficultyInput.optional(),
  open: z.literal('true').optional().meta({ description: 'Those that are open today, where they are.' }),
  search: line(textLimits.search).optional().meta({
    description:
      'Those with a word, in their name, the name of their place or their city, that begins with each of these; without regard to case, accents and order.',
  }),
});

/** How near a map is, in powers of two, as text in a query. */
const ZoomText = z
  .string()
  .regex(/^\d{1,2}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().max(22));

export const challengesOperations = {
  listChallenges: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/',
    access: 'public',
    weight: 3,
    summary: 'Without a token all challenges; with one those the caller made or joined (`scope=all` for all)',
    query: ChallengeFilters.extend({
      phase: Phase.optional(),
      scene: z.enum(scenes).optional().meta({ description: 'At a kind of place.' }),
      sort: ChallengeOrder.optional().meta({
        description:
          'newest: when missing. ending: what ends first, without what has ended and what never will. joined: where most take part. With `near` the nearest come first, at most about 2,000.',
      }),
      bbox: BoundingBox.optional(),
      near: Near.optional(),
      radius: z
        .string()
        .regex(/^\d{1,6}$/, 'must be whole metres')
        .transform(Number)
        .optional()
        .meta({ description: 'Metres around `near`; 5000 when missing.' }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    answer: z.array(Challenge),
    problems: ['unauthenticated'],
  }),
  viewChallenges: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/view',
    access: 'public',
    summary:
      'The challenges of a view of the map one by one or, where there are too many, the newest and clusters',
    query: ChallengeFilters.extend({ bbox: BoundingBox, zoom: ZoomText }),
    status: [200],
    answer: ChallengesInView,
    problems: ['unauthenticated'],
  }),
  listChallengeClusters: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/clusters',
    access: 'public',
    summary: 'The challenges of a view of the map, those that lie close together at its zoom as one',
    query: ChallengeFilters.extend({ bbox: BoundingBox, zoom: ZoomText }),
    status: [200],
    answer: z.array(ChallengeCluster),
    problems: ['unauthenticated'],
  }),
  getChallenge: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/{id}',
    access: 'public',
    summary: 'One challenge',
    params: z.object({ id: IdText }),
    status: [200],
    answer: Challenge,
    problems: ['challenge-not-found'],
  }),
  createChallenge: operation({
    service: 'challenges',
    method: 'POST',
    path: '/api/challenges/',
    access: 'member',
    creates: true,
    weight: 4,
    summary: 'Make a challenge',
    body: NewChallenge,
    status: [201],
    answer: Challenge,
    problems: ['unauthenticated'],
  }),
  updateChallenge: operation({
    service: 'challenges',
    method: 'PUT',
    path: '/api/challenges/{id}',
    access: 'owner-or-admin',
    weight: 4,
    summary: 'Change what one has made',
    params: z.object({ id: IdText }),
    body: ChallengeChange,
    status: [200],
    answer: Challenge,
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found'],
  }),
  deleteChallenge: operation({
    service: 'challenges',
    method: 'DELETE',
    path: '/api/challenges/{id}',
    access: 'owner-or-admin',
    summary:
      'Delete a challenge and, by event, every line of it; its maker as long as nobody else takes part',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found', 'others-take-part'],
  }),
  deleteChallengesOf: operation({
    service: 'challenges',
    method: 'DELETE',
    path: '/api/users/{id}/challenges',
    access: 'admin',
    summary:
      'Delete all that somebody made, whoever takes part; what anybody earned with it is taken back, by event',
    params: z.object({ id: IdText }),
    status: [200],
    answer: z.object({ deleted: z.int().nonnegative() }),
    problems: ['unauthenticated', 'admins-only'],
  }),
};
