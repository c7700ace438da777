import { z } from 'zod';
import { CurrentPassword, Email, Username } from './auth.ts';
import { operation } from './operation.ts';
import { Cursor, freeText, Id, IdList, IdText, limit, singleLineText, Timestamp, Zip } from './primitives.ts';
import { textLimits } from './text.ts';
import { deletedUsername } from './values.ts';

/** The public part of a profile. */
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

/** A user as the caller sees them. */
export const ViewedUser = PublicUser.extend({
  can: z
    .object({
      befriend: z.boolean().meta({
        description: 'Whether they are another person who accepts friend requests.',
      }),
    })
    .optional()
    .meta({ description: 'What the caller can do. Absent without a token, and in older versions.' }),
}).meta({ id: 'ViewedUser' });
export type ViewedUser = z.infer<typeof ViewedUser>;

/** The generated picture of a user without one of their own; the version changes with the drawing. */
export const generatedAvatar = (id: number): string => `explorer-${id}-2.svg`;

/** Placeholder for a deleted user. */
export const deletedUser = (id: number): PublicUser => ({
  ...{ id, username: deletedUsername, firstName: '', lastName: '', city: '', state: '' },
  avatar: generatedAvatar(id),
  points: 0,
});

/** The caller's own profile. */
export const Me = PublicUser.extend({
  email: z.string(),
  streetAddress: z.string(),
  zip: z.string(),
  admin: z.boolean(),
}).meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;

/** The fields of a profile that its owner can change. Others in the body (points, admin, id, avatar) are ignored. */
export const ProfileUpdate = z
  .object({
    username: Username,
    firstName: singleLineText(textLimits.firstName),
    lastName: singleLineText(textLimits.lastName),
    streetAddress: singleLineText(textLimits.profileStreetAddress),
    city: singleLineText(textLimits.city),
    state: singleLineText(textLimits.state),
    zip: Zip,
    email: z.union([z.literal(''), Email], 'must be an email address'),
  })
  .partial()
  .meta({ id: 'ProfileUpdate' });
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

/**
 * Why an award does not count fully: it is under review and not in monthly rankings meanwhile; the daily limit of one's own
 * challenges was reached; the challenge was removed; an admin revoked the points.
 */
export const AwardOutcome = z.enum(['flagged', 'own-limit', 'removed', 'revoked']);
export type AwardOutcome = z.infer<typeof AwardOutcome>;

export const Award = z
  .object({
    challengeId: Id,
    points: z.int().nonnegative(),
    outcome: AwardOutcome.optional().meta({ description: 'Why it earned nothing, or is under review.' }),
    reason: z.string().optional().meta({ description: 'The reason of the admin who revoked it.' }),
    awardedAt: Timestamp.optional().meta({
      description: 'When it was awarded. Absent in older versions.',
    }),
  })
  .meta({ id: 'Award' });
export type Award = z.infer<typeof Award>;

/**
 * Why a completion is flagged. travel: it is farther from another check-in than a plane flies in the time between; pace: one of
 * very many in an hour.
 */
export const ImplausibilityReason = z.enum(['travel', 'pace']);
export type ImplausibilityReason = z.infer<typeof ImplausibilityReason>;

/**
 * Why an award is under review. pair: two people earned more from each other than the threshold; farming: they complete each
 * other's challenges within minutes and hardly any others.
 */
export const FlagReason = z.enum(['pair', 'farming', ...ImplausibilityReason.options]);
export type FlagReason = z.infer<typeof FlagReason>;

/** Decisions about flagged points: flag for a review, approve, or revoke. */
export const PointsDecision = z.enum(['flag', 'approve', 'revoke']);
export type PointsDecision = z.infer<typeof PointsDecision>;

const Person = PublicUser.pick({ id: true, username: true });

/** An award under review, which is not in monthly rankings. */
export const FlaggedAward = z
  .object({
    userId: Id,
    challengeId: Id,
    creatorId: Id.optional().meta({ description: 'The challenge’s creator' }),
    points: z.int().nonnegative(),
    awardedAt: Timestamp,
    flagReason: FlagReason.optional().meta({ description: 'Absent in older versions: pair.' }),
    flaggedAt: Timestamp,
    user: Person.nullable(),
    creator: Person.nullable().meta({ description: 'The challenge’s creator; null for a deleted user.' }),
    title: z.string().meta({ description: 'The challenge’s name at that time; empty in older versions.' }),
  })
  .meta({ id: 'FlaggedAward' });
export type FlaggedAward = z.infer<typeof FlaggedAward>;

/** A challenge as PUT /api/points/ and POST /api/challengeLine/ name it: `{challengeId}`, or a whole challenge. */
export const ChallengeReference = z
  .union(
    [z.object({ challengeId: Id }), z.object({ id: Id }).transform(({ id }) => ({ challengeId: id }))],
    'must name a challenge by challengeId or id',
  )
  .meta({ id: 'ChallengeReference' });

export const RankedUser = PublicUser.extend({
  rank: z.int().positive(),
  points: z.int().nonnegative().meta({ description: 'The points of this ranking' }),
});

export const LeaderboardPage = z
  .object({
    podium: z.array(RankedUser).max(3),
    rows: z.array(RankedUser).max(10),
    page: z.int().positive(),
    pages: z.int().positive(),
    total: z.int().nonnegative(),
  })
  .meta({ id: 'LeaderboardPage' });
export type LeaderboardPage = z.infer<typeof LeaderboardPage>;

export const leaderboardPageSize = 10;

/** Cursor of a leaderboard: `<points>:<user id>` of the last row. */
const LeaderboardCursor = z
  .string()
  .regex(/^\d{1,15}:\d{1,15}$/, 'must be the cursor of a Link header')
  .transform((text) => {
    const [points = 0, userId = 0] = text.split(':').map(Number);
    return { points, userId };
  });

/** How many people can be listed without an account. */
export const maxWithoutAccount = 1_000;

/** The bytes of a picture: a Blob in a browser, a Buffer in a service. */
export const PictureFile = z.union(
  // Not `z.instanceof`, whose declaration would name Node's type, which is not assignable to a browser's.
  [z.custom<Blob>((value) => value instanceof Blob), z.instanceof(Uint8Array)],
  'must be a picture',
);

/** Media types of pictures that can be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const usersOperations = {
  getMe: operation({
    service: 'users',
    method: 'GET',
    path: '/auth/me',
    access: 'member',
    summary: 'Get the caller’s own profile',
    status: [200],
    response: Me,
    problems: ['unauthenticated'],
  }),
  updateMe: operation({
    service: 'users',
    method: 'PUT',
    path: '/auth/me',
    access: 'member',
    summary: 'Update the caller’s profile; username and e-mail need the password unless the session is fresh',
    body: ProfileUpdate.extend({ currentPassword: CurrentPassword }),
    status: [200],
    response: Me,
    problems: [
      'unauthenticated',
      'password-required',
      'reauthentication-required',
      'invalid-credentials',
      'username-taken',
    ],
  }),
  updatePicture: operation({
    service: 'users',
    method: 'PUT',
    path: '/auth/me/picture',
    access: 'member',
    weight: 4,
    summary:
      'Set the caller’s picture: 64 to 6000 pixels in each dimension; it is cropped to a square and re-encoded',
    body: PictureFile,
    upload: pictureTypes,
    status: [200],
    response: Me,
    problems: ['unauthenticated', 'unsupported-image'],
  }),
  listUsers: operation({
    service: 'users',
    method: 'GET',
    path: '/api/users/',
    access: 'public',
    weight: 4,
    summary:
      'List users: all, by ids, by a search in usernames and names, or random suggestions; the first 1000 without a token',
    query: z.object({
      search: singleLineText(textLimits.search).optional(),
      ids: IdList.optional(),
      suggested: limit(20).optional(),
      limit: limit(100).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(ViewedUser),
    problems: ['unauthenticated'],
  }),
  getUser: operation({
    service: 'users',
    method: 'GET',
    path: '/api/users/{id}',
    access: 'public',
    summary: 'Get a user',
    params: z.object({ id: IdText }),
    status: [200],
    response: ViewedUser,
    problems: ['user-not-found'],
  }),
  awardPoints: operation({
    service: 'users',
    method: 'PUT',
    path: '/api/points/',
    access: 'member',
    weight: 3,
    summary: 'Award the points of a challenge that the caller completed; idempotent',
    body: ChallengeReference,
    status: [200],
    response: Me.extend({ award: Award }),
    problems: ['unauthenticated', 'not-completed'],
  }),
  listFlaggedAwards: operation({
    service: 'users',
    method: 'GET',
    path: '/api/points/flagged',
    access: 'admin',
    summary: 'List awards under review, oldest first: 100, or a few more with the same time',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: z.array(FlaggedAward),
    problems: ['unauthenticated', 'admins-only'],
  }),
  approveAward: operation({
    service: 'users',
    method: 'DELETE',
    path: '/api/points/flagged/{userId}/{challengeId}',
    access: 'admin',
    invalidates: ['listAudit'],
    summary: 'Approve an award under review: it counts in its month’s rankings',
    params: z.object({ userId: IdText, challengeId: IdText }),
    status: [204],
    problems: ['unauthenticated', 'admins-only', 'not-found'],
  }),
  revokeAward: operation({
    service: 'users',
    method: 'POST',
    path: '/api/points/flagged/{userId}/{challengeId}/revocation',
    access: 'admin',
    invalidates: ['listAudit'],
    summary: 'Revoke an award under review; the user is notified of the reason',
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
      'Get a page of ten of the leaderboard by points; the first 1000 without a token. With a token `scope=friends` ranks the caller and their friends, `scope=town` people of the same town, and `around=me` returns the caller’s page. `period=month` ranks by points of this month (UTC) for challenges that others created; ties are broken by points with a check-in',
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
    response: LeaderboardPage,
    problems: ['unauthenticated'],
  }),
  getProfilePicture: operation({
    service: 'users',
    method: 'GET',
    path: '/public/profile-pics/{file}',
    access: 'public',
    summary: 'Get a user’s picture',
    params: z.object({
      file: z.string().regex(/^[a-z0-9-]{1,60}\.(svg|webp)$/, 'must be a picture’s file name'),
    }),
    status: [200],
    problems: ['not-found'],
    navigation: true,
  }),
};
