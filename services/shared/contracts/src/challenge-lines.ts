import { z } from 'zod';
import { ChallengeDetails } from './challenges.ts';
import { Position } from './geography.ts';
import { operation } from './operation.ts';
import { Cursor, Id, IdList, IdText, limit, Moment } from './primitives.ts';
import { ChallengeReference, PublicUser } from './users.ts';

/** A person's part in a challenge: at most one per person and challenge. */
export const ChallengeLine = z
  .object({
    id: Id,
    userId: Id,
    challengeId: Id,
    completed: z.boolean(),
    points: z.int().positive().meta({ description: 'What it is worth; fixed when it is completed.' }),
    joinedAt: Moment.meta({ description: 'Without a token the day alone.' }),
    completedAt: Moment.nullable().meta({ description: 'Without a token always null.' }),
    checkedIn: z.boolean().default(false).meta({
      description:
        'Who completed it was there, by what their device said. Lines of older versions do not tell it.',
    }),
    challenge: ChallengeDetails,
    user: PublicUser,
  })
  .meta({ id: 'ChallengeLine' });
export type ChallengeLine = z.infer<typeof ChallengeLine>;

/** Where a device says that it is. It is decided by, and never kept. */
export const DevicePosition = Position.extend({
  accuracy: z.number().nonnegative().meta({ description: 'Metres around it in which the device may be.' }),
  takenAt: Moment,
}).meta({ id: 'DevicePosition' });
export type DevicePosition = z.infer<typeof DevicePosition>;

export const participationOperations = {
  listLines: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/challengeLine/',
    access: 'public',
    summary:
      'The caller’s lines; with `challengeId` the participants of that challenge, the first 1000 also without a token',
    query: z.object({
      challengeId: IdText.optional(),
      userId: IdText.optional().meta({ description: 'With challengeId: only this person’s line.' }),
      ids: IdList.optional().meta({ description: 'With challengeId: only these people’s lines.' }),
      completed: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'Only those that are completed, or that still wait to be.' }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    answer: z.array(ChallengeLine),
    problems: ['unauthenticated'],
  }),
  listCompletions: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/completions/',
    access: 'member',
    weight: 2,
    summary: 'What these people completed last, the newest first; without where on the map it is',
    query: z.object({ ids: IdList, limit: limit(50).optional() }),
    status: [200],
    answer: z.array(ChallengeLine),
    problems: ['unauthenticated'],
  }),
  joinChallenge: operation({
    service: 'participation',
    method: 'POST',
    path: '/api/challengeLine/',
    access: 'member',
    creates: true,
    weight: 3,
    summary: 'Join a challenge; a second call answers the first line',
    body: ChallengeReference,
    status: [201, 200],
    answer: ChallengeLine,
    problems: ['unauthenticated', 'challenge-not-found'],
  }),
  updateLine: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/challengeLine/{id}',
    access: 'owner',
    summary:
      'Mark a line as complete (`completed: true`), checked in where a `position` says so; it cannot be undone',
    params: z.object({ id: IdText }),
    body: z.object({
      completed: z.boolean(),
      position: DevicePosition.optional(),
      secondsAgo: z.int().nonnegative().optional().meta({
        description:
          'How long ago it was done, where the device was offline then: at most 48 hours. Seconds, since the clock of a device may be wrong.',
      }),
    }),
    status: [200],
    answer: ChallengeLine,
    problems: [
      'unauthenticated',
      'forbidden',
      'line-not-found',
      'not-started',
      'challenge-hidden',
      'already-ended',
      'completed-too-long-ago',
      'already-completed',
      'check-in-needed',
    ],
  }),
  leaveChallenge: operation({
    service: 'participation',
    method: 'DELETE',
    path: '/api/challengeLine/{id}',
    access: 'owner-or-admin',
    summary: 'Leave a challenge; points that were earned stay',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'line-not-found'],
  }),
};
