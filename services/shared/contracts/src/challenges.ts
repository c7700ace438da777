import { z } from 'zod';
import { BoundingBox, Near, Position } from './geography.ts';
import { Status } from './moderation.ts';
import { operation } from './operation.ts';
import { placeCategories } from './place-categories.ts';
import { Area, SuggestionId, SuggestionTemplate } from './places.ts';
import {
  Cursor,
  Day,
  DayInput,
  freeText,
  Id,
  IdText,
  limit,
  singleLineText,
  Timestamp,
  Zip,
} from './primitives.ts';
import { textLimits } from './text.ts';
import { canonicalTimeZone, difficulties } from './values.ts';

export const Difficulty = z.enum(difficulties).meta({ id: 'Difficulty' });
export type Difficulty = z.infer<typeof Difficulty>;

const difficultyByInput = new Map<string, Difficulty>(difficulties.map((name) => [name.toLowerCase(), name]));

const DifficultyInput = z.preprocess(
  (value) =>
    typeof value === 'string' ? (difficultyByInput.get(value.trim().toLowerCase()) ?? value) : value,
  Difficulty,
);

/** The photo that is a challenge's picture. Anybody may see it, also without an account. */
export const ChallengePicture = z
  .object({
    completionId: Id.meta({ description: 'The id of its log entry.' }),
    userId: Id.meta({ description: 'Whose photo it is.' }),
    photo: z.string().meta({ description: 'Unique name of the photo.' }),
  })
  .meta({ id: 'ChallengePicture' });
export type ChallengePicture = z.infer<typeof ChallengePicture>;

/** A challenge, as in replicas of all services. */
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
    placeCategory: z
      .enum(placeCategories)
      .optional()
      .meta({ description: 'The kind of place. Absent in older versions.' }),
    startDate: Day.nullable().meta({ description: 'First day, in timeZone; null: no start.' }),
    endDate: Day.nullable().meta({ description: 'Last day, inclusive; null: no end.' }),
    timeZone: z.string().meta({ description: 'IANA time zone of the place' }),
    position: Position.nullable().meta({ description: 'Null: not on the map.' }),
    area: Area.optional().meta({
      description: 'Where it can be completed if it has no exact place: around its position.',
    }),
    checkInRequired: z.boolean().optional().meta({
      description: 'Whether completing it requires a check-in. Absent in older versions.',
    }),
    creator: z.object({ id: Id, username: z.string() }),
    suggestion: z.string().optional().meta({
      description: 'Id of the suggestion that it was created from, by Wayquest itself.',
    }),
    template: SuggestionTemplate.optional().meta({
      description: 'Its texts, if it is a suggested one; absent once an admin has changed them.',
    }),
    picture: ChallengePicture.optional().meta({
      description: 'A photo of its log. Absent: it is shown as a drawing.',
    }),
    createdAt: Timestamp,
    status: Status.optional().meta({
      description: 'hidden: visible to its creator and admins only. Absent in older versions.',
    }),
  })
  .meta({ id: 'ChallengeDetails' });
export type ChallengeDetails = z.infer<typeof ChallengeDetails>;

export const Challenge = ChallengeDetails.extend({
  participants: z.int().nonnegative(),
  can: z
    .object({
      edit: z.boolean().meta({ description: 'Whether the caller is its creator.' }),
      delete: z.boolean().meta({
        description: 'Whether the caller is an admin, or its creator and nobody else participates.',
      }),
    })
    .optional()
    .meta({ description: 'What the caller can do with it. Absent without a token.' }),
}).meta({ id: 'Challenge' });
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

/** An empty number field of a form: absent, null or ''. */
const emptyInput = z.union([z.null(), z.literal('')]).transform(() => undefined);

/** The fields of a challenge that its creator can change. */
const ChallengeFields = z.object({
  name: singleLineText(textLimits.challengeName).min(1, 'must not be empty'),
  description: freeText(textLimits.challengeDescription).default(''),
  difficulty: DifficultyInput,
  points: z
    .union([Points, emptyInput])
    .optional()
    .meta({ description: 'Default: by difficulty (10, 20, 30).' }),
  startDate: DayInput.default(null),
  endDate: DayInput.default(null),
  placeCategory: z
    .union([z.enum(placeCategories), emptyInput])
    .optional()
    .meta({ description: 'The kind of place; default: guessed from the texts.' }),
  checkInRequired: z.boolean().optional().meta({
    description: 'Require a check-in; only for challenges on the map. Default: no, or unchanged.',
  }),
});

const datesInOrder = ({ startDate, endDate }: { startDate: string | null; endDate: string | null }) =>
  !startDate || !endDate || startDate <= endDate;
const datesOutOfOrder = { path: ['endDate'], error: 'must not be before the start date' };

/** Reason for rejecting a required check-in without a position. */
export const checkInNeedsPosition = 'needs a place on the map';

/** A new challenge. The creator is always the caller. */
export const NewChallenge = ChallengeFields.extend({
  locationName: singleLineText(textLimits.locationName).default(''),
  streetAddress: singleLineText(textLimits.streetAddress).default(''),
  city: singleLineText(textLimits.city).default(''),
  state: singleLineText(textLimits.state).default(''),
  zip: z.union([Zip, z.null().transform(() => '')]).default(''),
  position: Position.nullable().default(null),
  timeZone: z.string().max(100).transform(canonicalTimeZone).optional().meta({
    description:
      'IANA time zone of the creator, used if those of its position and city are unknown; an unknown name is ignored.',
  }),
})
  .refine(datesInOrder, datesOutOfOrder)
  .refine(({ checkInRequired, position }) => !checkInRequired || position, {
    path: ['checkInRequired'],
    error: checkInNeedsPosition,
  })
  .meta({ id: 'NewChallenge' });
export type NewChallenge = z.output<typeof NewChallenge>;

/** Changes of a challenge. Its place cannot change, since people may be on their way there. */
export const ChallengeUpdate = ChallengeFields.refine(datesInOrder, datesOutOfOrder).meta({
  id: 'ChallengeUpdate',
  description: 'An end date in the past closes the challenge.',
});
export type ChallengeUpdate = z.output<typeof ChallengeUpdate>;

/** A cluster of challenges on the map. */
export const ChallengeCluster = z
  .object({
    position: Position.meta({ description: 'The mean position of its challenges' }),
    count: z.int().positive(),
    newest: Id.meta({ description: 'Id of its newest challenge' }),
    city: z.string().meta({ description: 'City of its newest challenge' }),
    placeCategory: z
      .enum(placeCategories)
      .optional()
      .meta({ description: 'Kind of place, if the count is 1' }),
    bbox: z
      .object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })
      .meta({ description: 'The map tile that this cluster covers' }),
  })
  .meta({ id: 'ChallengeCluster' });
export type ChallengeCluster = z.infer<typeof ChallengeCluster>;

/** Maximum number of challenges in a view; more are clustered. */
export const maxShown = 100;

/** Maximum number of challenges in a view at zooms without clusters. */
export const maxShownUnclustered = 500;

/** Maximum zoom with clusters (spec, section 9). */
export const maxClusterZoom = 16;

/** The challenges and clusters of a view of the map. */
export const ChallengesInView = z
  .object({
    challenges: z.array(Challenge).meta({
      description: 'All of the view, or if there are clusters the newest, or those nearest to `near`.',
    }),
    clusters: z
      .array(ChallengeCluster)
      .meta({ description: 'Clusters of all challenges, if there are more than listed.' }),
  })
  .meta({ id: 'ChallengesInView' });
export type ChallengesInView = z.infer<typeof ChallengesInView>;

/** Phase of a challenge today, in the time zone of its place; `current` is open or upcoming. */
export const Phase = z.enum(['open', 'upcoming', 'ended', 'current']);
export type Phase = z.infer<typeof Phase>;

/** Order of a list; ties are ordered newest first. */
export const ChallengeOrder = z.enum(['newest', 'nearest', 'ending', 'joined']);
export type ChallengeOrder = z.infer<typeof ChallengeOrder>;

/** Filters of the list and the map. */
const ChallengeFilters = z.object({
  scope: z
    .enum(['all', 'mine', 'joined'])
    .optional()
    .meta({ description: 'mine: created or joined by the caller. Default: mine with a token, else all.' }),
  difficulty: DifficultyInput.optional(),
  open: z
    .literal('true')
    .optional()
    .meta({ description: 'Only challenges that are open today in their time zone.' }),
  search: singleLineText(textLimits.search).optional().meta({
    description:
      'Every word must be a prefix of a word in name, place name or city; case and accents are ignored.',
  }),
});

/** A zoom level of the map, as text in a query. */
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
    summary:
      'List challenges: all without a token; with one those that the caller created or joined (`scope=all` for all)',
    query: ChallengeFilters.extend({
      phase: Phase.optional(),
      placeCategory: z.enum(placeCategories).optional().meta({ description: 'Only this kind of place.' }),
      sort: ChallengeOrder.optional().meta({
        description:
          'Default: newest, or with `near` nearest, at most about 2,000. ending: by end date, without ended challenges and those without an end date. joined: by participants.',
      }),
      bbox: BoundingBox.optional(),
      near: Near.optional(),
      radius: z
        .string()
        .regex(/^\d{1,6}$/, 'must be a whole number of meters')
        .transform(Number)
        .optional()
        .meta({
          description:
            'Meters around `near`; default 5000. `sort=nearest` without it is the whole list; up to 2,000, those without a position are last.',
        }),
      total: z.literal('true').optional().meta({
        description:
          'Adds the header `x-total-count` for the scope `all`: how many challenges the whole list has, if no more than 10,000.',
      }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(Challenge),
    problems: ['unauthenticated'],
  }),
  viewChallenges: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/view',
    access: 'public',
    summary:
      'Get the challenges of a view of the map; if there are too many, the newest, or the nearest, and clusters',
    query: ChallengeFilters.extend({ bbox: BoundingBox, zoom: ZoomText, near: Near.optional() }),
    status: [200],
    response: ChallengesInView,
    problems: ['unauthenticated'],
  }),
  listChallengeClusters: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/clusters',
    access: 'public',
    summary: 'Get the challenges of a view of the map as clusters for its zoom',
    query: ChallengeFilters.extend({ bbox: BoundingBox, zoom: ZoomText }),
    status: [200],
    response: z.array(ChallengeCluster),
    problems: ['unauthenticated'],
  }),
  getChallenge: operation({
    service: 'challenges',
    method: 'GET',
    path: '/api/challenges/{id}',
    access: 'public',
    summary: 'Get a challenge',
    params: z.object({ id: IdText }),
    status: [200],
    response: Challenge,
    problems: ['challenge-not-found'],
  }),
  createChallenge: operation({
    service: 'challenges',
    method: 'POST',
    path: '/api/challenges/',
    access: 'member',
    creates: true,
    weight: 4,
    summary: 'Create a challenge',
    body: NewChallenge,
    status: [201],
    response: Challenge,
    problems: ['unauthenticated'],
  }),
  createSuggestedChallenge: operation({
    service: 'challenges',
    method: 'POST',
    path: '/api/challenges/suggested',
    access: 'member',
    creates: true,
    weight: 4,
    summary: 'Get the challenge of a suggestion; the first call creates it, once for everybody',
    body: z.object({ suggestion: SuggestionId }),
    status: [200],
    response: Challenge,
    problems: ['unauthenticated', 'suggestion-not-found', 'places-unavailable'],
  }),
  updateChallenge: operation({
    service: 'challenges',
    method: 'PUT',
    path: '/api/challenges/{id}',
    access: 'owner-or-admin',
    weight: 4,
    summary: 'Update a challenge',
    params: z.object({ id: IdText }),
    body: ChallengeUpdate,
    status: [200],
    response: Challenge,
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found'],
  }),
  deleteChallenge: operation({
    service: 'challenges',
    method: 'DELETE',
    path: '/api/challenges/{id}',
    access: 'owner-or-admin',
    summary:
      'Delete a challenge and, by event, its participations; its creator may while nobody else participates',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found', 'has-other-participants'],
  }),
  deleteChallengesOf: operation({
    service: 'challenges',
    method: 'DELETE',
    path: '/api/users/{id}/challenges',
    access: 'admin',
    summary: 'Delete all challenges of a user; points earned with them are revoked, by event',
    params: z.object({ id: IdText }),
    status: [200],
    response: z.object({ deleted: z.int().nonnegative() }),
    problems: ['unauthenticated', 'admins-only'],
  }),
};
