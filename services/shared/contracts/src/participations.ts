import { z } from 'zod';
import { ChallengeDetails } from './challenges.ts';
import { Position } from './geography.ts';
import { operation } from './operation.ts';
import { Cursor, Id, IdList, IdText, limit, Timestamp } from './primitives.ts';
import { ChallengeReference, PublicUser } from './users.ts';

/** A participation: at most one per user and challenge. */
export const Participation = z
  .object({
    id: Id,
    userId: Id,
    challengeId: Id,
    completed: z.boolean(),
    points: z.int().positive().meta({ description: 'The challenge’s points; fixed at completion.' }),
    joinedAt: Timestamp.meta({ description: 'Only the day without a token.' }),
    completedAt: Timestamp.nullable().meta({ description: 'Always null without a token.' }),
    checkedIn: z.boolean().default(false).meta({
      description:
        'Whether it was completed with a check-in at the place, by the position of the device. False in older versions.',
    }),
    challenge: ChallengeDetails,
    user: PublicUser,
    can: z
      .object({
        complete: z.boolean().meta({ description: 'Whether it is open today, and not completed.' }),
        leave: z.boolean().meta({ description: 'Whether it is not completed: a completed one stays.' }),
      })
      .optional()
      .meta({ description: 'What the caller can do with their own participation.' }),
  })
  .meta({ id: 'Participation' });
export type Participation = z.infer<typeof Participation>;

/** The position of a device. It is used for the check-in and never stored. */
export const DevicePosition = Position.extend({
  accuracy: z.number().nonnegative().meta({ description: 'Radius of uncertainty in meters.' }),
  secondsAgo: z.int().nonnegative().optional().meta({
    description:
      'How long ago it was measured; without it, when the challenge was completed. An age, since the clock of a device may be wrong.',
  }),
  takenAt: Timestamp.optional().meta({
    description: 'From clients of 0.2.0: by the device’s clock, so it is not compared with anything.',
  }),
}).meta({ id: 'DevicePosition' });
export type DevicePosition = z.infer<typeof DevicePosition>;

export const participationOperations = {
  listParticipations: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/challengeLine/',
    access: 'public',
    summary:
      'List the caller’s participations; with `challengeId` those of that challenge, the first 1000 without a token',
    query: z.object({
      challengeId: IdText.optional(),
      userId: IdText.optional().meta({ description: 'With challengeId: only this user’s.' }),
      ids: IdList.optional().meta({ description: 'With challengeId: only these users’.' }),
      completed: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .meta({ description: 'Only completed ones, or only others.' }),
      limit: limit(500).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(Participation),
    problems: ['unauthenticated'],
  }),
  listCompletions: operation({
    service: 'participation',
    method: 'GET',
    path: '/api/completions/',
    access: 'member',
    weight: 2,
    summary: 'List recent completions of these users, newest first, without positions',
    query: z.object({ ids: IdList, limit: limit(50).optional() }),
    status: [200],
    response: z.array(Participation),
    problems: ['unauthenticated'],
  }),
  joinChallenge: operation({
    service: 'participation',
    method: 'POST',
    path: '/api/challengeLine/',
    access: 'member',
    invalidates: ['listParticipations'],
    creates: true,
    weight: 3,
    summary: 'Join a challenge that has not ended; a repeated call returns the first participation',
    body: ChallengeReference,
    status: [201, 200],
    response: Participation,
    problems: ['unauthenticated', 'challenge-not-found', 'already-ended'],
  }),
  updateParticipation: operation({
    service: 'participation',
    method: 'PUT',
    path: '/api/challengeLine/{id}',
    access: 'owner',
    invalidates: ['listLog', 'listParticipations', 'getTrailBook'],
    summary:
      'Complete a challenge (`completed: true`), with a check-in if `position` is near its place; it cannot be undone',
    params: z.object({ id: IdText }),
    body: z.object({
      completed: z.boolean(),
      position: DevicePosition.optional(),
      secondsAgo: z.int().nonnegative().optional().meta({
        description:
          'For completions made offline: how long ago, at most 48 hours. An age, since the clock of a device may be wrong.',
      }),
    }),
    status: [200],
    response: Participation,
    problems: [
      'unauthenticated',
      'forbidden',
      'participation-not-found',
      'not-started',
      'challenge-hidden',
      'already-ended',
      'completed-too-long-ago',
      'already-completed',
      'check-in-required',
    ],
  }),
  leaveChallenge: operation({
    service: 'participation',
    method: 'DELETE',
    path: '/api/challengeLine/{id}',
    access: 'owner-or-admin',
    invalidates: ['listLog', 'listParticipations', 'getTrailBook'],
    summary:
      'Leave a challenge; a completed one stays, with its note, photo and stamp, unless an admin removes it',
    params: z.object({ id: IdText }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'participation-not-found', 'already-completed'],
  }),
};
