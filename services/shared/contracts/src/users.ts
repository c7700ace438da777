import { z } from 'zod';
import { CurrentPassword, Email, Username } from './auth.ts';
import { deletedUsername } from './deleted-user.ts';
import { operation } from './operation.ts';
import { Cursor, Id, IdList, IdText, limit, Moment, Zip } from './primitives.ts';
import { freeText, line } from './text.ts';
import { textLimits } from './text-limits.ts';

/** What anyone may see of a person. */
export const PublicUser = z
  .object({
    id: Id,
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    city: z.string(),
    state: z.string(),
    avatar: z.string().meta({ description: 'A file under /public/profile-pics/' }),
    points: z.int().nonnegative(),
  })
  .meta({ id: 'PublicUser' });
export type PublicUser = z.infer<typeof PublicUser>;

/** The picture of a person who has not chosen one, drawn from their id; another drawing has another number. */
export const generatedAvatar = (id: number): string => `explorer-${id}-2.svg`;

/** In the place of somebody whose account is deleted, and of whom nothing is known any more. */
export const deletedUser = (id: number): PublicUser => ({
  ...{ id, username: deletedUsername, firstName: '', lastName: '', city: '', state: '' },
  avatar: generatedAvatar(id),
  points: 0,
});

/** What a person sees of themselves. */
export const Me = PublicUser.extend({
  email: z.string(),
  streetAddress: z.string(),
  zip: z.string(),
  admin: z.boolean(),
}).meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

/** The fields of a profile that its owner sets. Others in the body (points, admin, id, avatar) are ignored. */
export const ProfileUpdate = z
  .object({
    username: Username,
    firstName: line(textLimits.firstName),
    lastName: line(textLimits.lastName),
    streetAddress: line(textLimits.profileStreetAddress),
    city: line(textLimits.city),
    state: line(textLimits.state),
    zip: Zip,
    email: z.union([z.literal(''), Email], 'must be an email address'),
  })
  .partial()
  .meta({ id: 'ProfileUpdate' });
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

/**
 * Why an award is not simply its challenge's points: they wait for somebody to look, and are on no board of the month meanwhile;
 * as many challenges of one's own as count in a day did before; the challenge was removed; an admin took them back.
 */
export const AwardOutcome = z.enum(['waits', 'own-limit', 'removed', 'taken-back']);
export type AwardOutcome = z.infer<typeof AwardOutcome>;

export const Award = z
  .object({
    challengeId: Id,
    points: z.int().nonnegative(),
    outcome: AwardOutcome.optional().meta({ description: 'Why it earned nothing, or waits for a look.' }),
    reason: z.string().optional().meta({ description: 'What the admin said who took it back.' }),
    awardedAt: Moment.optional().meta({
      description: 'When it was awarded, once for ever; older versions did not say.',
    }),
  })
  .meta({ id: 'Award' });
export type Award = z.infer<typeof Award>;

/**
 * Why a completion is doubted: it was farther from the check-in before than a plane flies meanwhile, or one of very many in
 * an hour.
 */
export const Doubt = z.enum(['travel', 'pace']);
export type Doubt = z.infer<typeof Doubt>;

/**
 * Why an award waits; pair: two people paid each other more than counts unseen, farming: they do hardly anything else, within
 * minutes.
 */
export const HeldFor = z.enum(['pair', 'farming', ...Doubt.options]);
export type HeldFor = z.infer<typeof HeldFor>;

/** What becomes of points that are doubted: they wait until somebody has looked, count after all, or are taken back. */
export const PointsDecision = z.enum(['hold', 'release', 'withdraw']);
export type PointsDecision = z.infer<typeof PointsDecision>;

const Person = PublicUser.pick({ id: true, username: true });

/** What is on no board of a month until somebody has looked. */
export const HeldAward = z
  .object({
    userId: Id,
    challengeId: Id,
    creatorId: Id.optional().meta({ description: 'Who made the challenge' }),
    points: z.int().nonnegative(),
    awardedAt: Moment,
    heldFor: HeldFor.optional().meta({ description: 'Older versions did not say; it was pair.' }),
    heldAt: Moment,
    user: Person.nullable(),
    creator: Person.nullable().meta({ description: 'Who made the challenge; none once they are deleted.' }),
    title: z.string().meta({ description: 'The challenge’s name then; older versions did not keep it.' }),
  })
  .meta({ id: 'HeldAward' });
export type HeldAward = z.infer<typeof HeldAward>;

/** A challenge as PUT /api/points/ and POST /api/challengeLine/ name it: `{challengeId}`, or a whole challenge. */
export const ChallengeReference = z
  .union(
    [z.object({ challengeId: Id }), z.object({ id: Id }).transform(({ id }) => ({ challengeId: id }))],
    'must name a challenge by challengeId or id',
  )
  .meta({ id: 'ChallengeReference' });

export const Ranked = PublicUser.extend({
  rank: z.int().positive(),
  points: z.int().nonnegative().meta({ description: 'Those that this ranking is by' }),
});

export const LeaderboardPage = z
  .object({
    podium: z.array(Ranked).max(3),
    rows: z.array(Ranked).max(10),
    page: z.int().positive(),
    pages: z.int().positive(),
    total: z.int().nonnegative(),
  })
  .meta({ id: 'LeaderboardPage' });
export type LeaderboardPage = z.infer<typeof LeaderboardPage>;

export const leaderboardPageSize = 10;

/** Where a leaderboard goes on: after somebody with so many points, `<points>:<id>`. */
const LeaderboardCursor = z
  .string()
  .regex(/^\d{1,15}:\d{1,15}$/, 'must be what a page’s Link header says')
  .transform((text) => {
    const [points = 0, userId = 0] = text.split(':').map(Number);
    return { points, userId };
  });

/** How many people can be paged through without an account. */
export const maxForVisitors = 1_000;

/** A picture as its bytes: a Blob in a browser, what was read of it in the service. */
const PictureFile = z.union([z.instanceof(Blob), z.instanceof(Uint8Array)], 'must be a picture');

export const usersOperations = {
  getMe: operation({
    service: 'users',
    method: 'GET',
    path: '/auth/me',
    access: 'member',
    summary: 'The caller, with everything they told us',
    status: [200],
    answer: Me,
    problems: ['unauthenticated'],
  }),
  updateMe: operation({
    service: 'users',
    method: 'PUT',
    path: '/auth/me',
    access: 'member',
    summary: 'Change the caller’s profile; an older session needs the password for username and e-mail',
    body: ProfileUpdate.extend({ currentPassword: CurrentPassword }),
    status: [200],
    answer: Me,
    problems: ['unauthenticated', 'password-needed', 'login-again', 'invalid-credentials', 'username-taken'],
  }),
  updatePicture: operation({
    service: 'users',
    method: 'PUT',
    path: '/auth/me/picture',
    access: 'member',
    weight: 4,
    summary: 'Set the caller’s picture: 64 to 6000 pixels each way; it is cut to a square and stored anew',
    body: PictureFile,
    upload: ['image/jpeg', 'image/png', 'image/webp'],
    status: [200],
    answer: Me,
    problems: ['unauthenticated', 'unsupported-image'],
  }),
  listUsers: operation({
    service: 'users',
    method: 'GET',
    path: '/api/users/',
    access: 'public',
    weight: 4,
    summary:
      'People: all, by ids, by a search in username and names, or some suggestions at random; without a token the first 1000',
    query: z.object({
      search: line(textLimits.search).optional(),
      ids: IdList.optional(),
      suggested: limit(20).optional(),
      limit: limit(100).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    answer: z.array(PublicUser),
    problems: ['unauthenticated'],
  }),
  getUser: operation({
    service: 'users',
    method: 'GET',
    path: '/api/users/{id}',
    access: 'public',
    summary: 'One person',
    params: z.object({ id: IdText }),
    status: [200],
    answer: PublicUser,
    problems: ['user-not-found'],
  }),
  awardPoints: operation({
    service: 'users',
    method: 'PUT',
    path: '/api/points/',
    access: 'member',
    weight: 3,
    summary: 'Award what the caller’s completed challenge is worth, once for ever, whoever asks first',
    body: ChallengeReference,
    status: [200],
    answer: Me.extend({ award: Award }),
    problems: ['unauthenticated', 'not-completed'],
  }),
  listHeldAwards: operation({
    service: 'users',
    method: 'GET',
    path: '/api/points/held',
    access: 'admin',
    summary:
      'Awards that wait for somebody to look at them, the longest first: 100 of them, or a few more that wait since the same moment',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    answer: z.array(HeldAward),
    problems: ['unauthenticated', 'admins-only'],
  }),
  releaseAward: operation({
    service: 'users',
    method: 'DELETE',
    path: '/api/points/held/{userId}/{challengeId}',
    access: 'admin',
    summary: 'Let a held award count on the boards of its month after all',
    params: z.object({ userId: IdText, challengeId: IdText }),
    status: [204],
    problems: ['unauthenticated', 'admins-only', 'not-found'],
  }),
  withdrawAward: operation({
    service: 'users',
    method: 'POST',
    path: '/api/points/held/{userId}/{challengeId}/withdrawal',
    access: 'admin',
    summary: 'Take a held award back for good; the person is told the reason',
    params: z.object({ userId: IdText, challengeId: IdText }),
    body: z.object({
      reason: freeText(textLimits.report).min(1, 'must not be empty'),
    }),
    status: [204],
    problems: ['unauthenticated', 'admins-only', 'not-found'],
  }),
  getLeaderboard: operation({
    service: 'users',
    method: 'GET',
    path: '/api/leaderboard',
    access: 'public',
    summary:
      'Ten people a page by points, the first 1000 without a token; with one `scope=friends` ranks friends and the caller, `scope=town` who says to live in the same town, and `around=me` answers the caller’s page. `period=month`: by what they completed of others’ making since the month began (UTC), of equal points those who checked in for more of them first',
    query: z.object({
      page: z
        .string()
        .regex(/^\d{1,9}$/, 'must be a whole number')
        .transform(Number)
        .pipe(z.int().min(1))
        .optional(),
      cursor: LeaderboardCursor.optional(),
      around: z.literal('me').optional(),
      scope: z.enum(['all', 'friends', 'town']).optional(),
      period: z.enum(['all', 'month']).optional(),
    }),
    status: [200],
    answer: LeaderboardPage,
    problems: ['unauthenticated'],
  }),
  getProfilePicture: operation({
    service: 'users',
    method: 'GET',
    path: '/public/profile-pics/{file}',
    access: 'public',
    summary: 'A person’s picture',
    params: z.object({
      file: z.string().regex(/^[a-z0-9-]{1,60}\.(svg|webp)$/, 'must be a picture’s file name'),
    }),
    status: [200],
    problems: ['not-found'],
    navigation: true,
  }),
};
