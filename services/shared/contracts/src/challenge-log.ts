import { z } from 'zod';
import { ChallengeDetails, ChallengePicture } from './challenges.ts';
import { operation } from './operation.ts';
import { Cursor, freeText, Id, IdText, limit, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';
import { PictureFile, PublicUser, pictureTypes } from './users.ts';

/** A completed challenge in the challenge's log. */
export const LogEntry = z
  .object({
    id: Id.meta({ description: 'The id of the participation.' }),
    challengeId: Id,
    user: PublicUser,
    completedAt: Timestamp,
    checkedIn: z.boolean(),
    note: z.string(),
    photo: z.string().nullable().meta({ description: 'Unique name of the photo; null without one.' }),
    hidden: z.boolean().meta({
      description:
        'Whether moderation hides note and photo. Everyone except their owner and admins gets an empty note, no photo, and false.',
    }),
    thanks: z
      .object({
        count: z.int().nonnegative(),
        mine: z.boolean().meta({ description: 'Whether the caller is one of them.' }),
      })
      .optional()
      .meta({ description: 'How many people thanked for it. Absent in older versions.' }),
    can: z
      .object({
        edit: z.boolean().meta({ description: 'Whether it is the caller’s, and was not moderated.' }),
        delete: z.boolean().meta({ description: 'Whether it is the caller’s: its note and its photo.' }),
        report: z.boolean().meta({ description: 'Whether it is another person’s, with a note or a photo.' }),
      })
      .optional()
      .meta({ description: 'What the caller can do with it. Absent in older versions.' }),
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

/** A completion of a friend, with its challenge. */
export const FriendsEntry = LogEntry.extend({
  challenge: ChallengeDetails.pick({ id: true, name: true, template: true }),
}).meta({ id: 'FriendsEntry' });
export type FriendsEntry = z.infer<typeof FriendsEntry>;

/** The latest completions of the caller's friends. */
export const FriendsLog = z
  .object({
    hasFriends: z.boolean(),
    entries: z.array(FriendsEntry).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'FriendsLog' });
export type FriendsLog = z.infer<typeof FriendsLog>;

/** What a challenge's creator wants as its picture. */
export const PictureChoice = z.union([z.enum(['newest', 'none']), Id]).meta({
  description:
    'newest: the newest photo of the log; none: the drawing; or the id of a log entry, whose photo is shown as long as everybody may see it.',
});
export type PictureChoice = z.infer<typeof PictureChoice>;

/** The picture of a challenge, and how it is chosen. */
export const ChosenPicture = z
  .object({ choice: PictureChoice, picture: ChallengePicture.nullable() })
  .meta({ id: 'ChosenPicture' });
export type ChosenPicture = z.infer<typeof ChosenPicture>;

const params = z.object({ id: IdText });
const writeProblems = [
  'unauthenticated',
  'forbidden',
  'participation-not-found',
  'not-completed-yet',
  'entry-hidden',
] as const;

const PhotoName = z.string().regex(/^[0-9a-f]{32}$/, 'must be the name of a photo');

const PhotoSize = z.enum(['card', 'full']).meta({
  description: 'card: 640 by 400 pixels; full (default): at most 1280 pixels a side.',
});

export const logOperations = {
  listLog: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/challenges/{id}/log',
    access: 'member',
    weight: 2,
    summary: 'List who completed a challenge, newest first, with their notes and photos',
    params,
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: z.array(LogEntry),
    problems: ['unauthenticated'],
  }),
  listFriendsLog: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/completions/friends',
    access: 'member',
    weight: 2,
    summary: 'List the latest completions of the caller’s friends, with notes and photos, without positions',
    query: z.object({ limit: limit(20).optional() }),
    status: [200],
    response: FriendsLog,
    problems: ['unauthenticated'],
  }),
  getLogEntry: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/completions/{id}',
    access: 'member',
    summary: 'Get a log entry by the id of the participation',
    params,
    status: [200],
    response: LogEntry,
    problems: ['unauthenticated', 'entry-not-found'],
  }),
  thank: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/completions/{id}/thanks',
    access: 'member',
    invalidates: ['listLog', 'listFriendsLog'],
    summary: 'Thank a person for a completion that the caller may see; a repeated call changes nothing',
    params,
    status: [200],
    response: LogEntry,
    problems: ['unauthenticated', 'entry-not-found', 'own-entry'],
  }),
  withdrawThanks: operation({
    service: 'participation',
    method: 'DELETE',
    path: '/api/completions/{id}/thanks',
    access: 'member',
    invalidates: ['listLog', 'listFriendsLog'],
    summary: 'Withdraw one’s thanks for a completion',
    params,
    status: [200],
    response: LogEntry,
    problems: ['unauthenticated', 'entry-not-found'],
  }),
  updateNote: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/completions/{id}/note',
    access: 'owner',
    summary: 'Set the note of a completed challenge; an empty one removes it',
    params,
    body: z.object({ note: freeText(textLimits.note) }),
    status: [200],
    response: LogEntry,
    problems: writeProblems,
  }),
  updatePhoto: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/completions/{id}/photo',
    access: 'owner',
    weight: 4,
    summary:
      'Set the photo of a completed challenge: 64 to 6000 pixels in each dimension; it is re-encoded with at most 1280, without metadata',
    params,
    body: PictureFile,
    upload: pictureTypes,
    status: [200],
    response: LogEntry,
    problems: [...writeProblems, 'unsupported-image'],
  }),
  removePhoto: operation({
    service: 'participation',
    method: 'DELETE',
    path: '/api/completions/{id}/photo',
    access: 'owner',
    summary: 'Remove the photo of a completed challenge',
    params,
    status: [200],
    response: LogEntry,
    problems: ['unauthenticated', 'forbidden', 'participation-not-found', 'not-completed-yet'],
  }),
  getPhoto: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/completions/{id}/photos/{photo}',
    access: 'member',
    summary: 'Get the photo of a log entry; the response is immutable',
    params: z.object({ id: IdText, photo: PhotoName }),
    query: z.object({ size: PhotoSize.optional() }),
    status: [200],
    file: 'image/webp',
    problems: ['unauthenticated', 'not-found'],
  }),
  getChosenPicture: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/challenges/{id}/picture',
    access: 'owner-or-admin',
    summary: 'Get which photo of its log a challenge has as its picture, and how it is chosen',
    params,
    status: [200],
    response: ChosenPicture,
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found'],
  }),
  choosePicture: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/challenges/{id}/picture',
    access: 'owner-or-admin',
    summary: 'Choose the picture of a challenge: the newest photo of its log, a certain one, or the drawing',
    params,
    body: z.object({ choice: PictureChoice }),
    status: [200],
    response: ChosenPicture,
    problems: ['unauthenticated', 'forbidden', 'challenge-not-found', 'entry-not-found'],
  }),
  getChallengePicture: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/challenges/{id}/pictures/{photo}',
    access: 'public',
    summary: 'Get the photo that is a challenge’s picture',
    params: z.object({ id: IdText, photo: PhotoName }),
    query: z.object({ size: PhotoSize.optional() }),
    status: [200],
    problems: ['not-found'],
    navigation: true,
  }),
  getOwnPhoto: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/own-data/participation/{id}/photos/{photo}',
    access: 'member',
    summary: 'Get the photo of a log entry of the caller, for the archive',
    params: z.object({ id: IdText, photo: PhotoName }),
    status: [200],
    file: 'image/webp',
    problems: ['unauthenticated', 'not-found'],
    internal: true,
  }),
};
