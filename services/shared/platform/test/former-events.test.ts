import { randomUUID } from 'node:crypto';
import { eventToContract, parseEvent } from '@wayquest/platform/bus';

const sum = { userId: 1, challengeId: 2, points: 10, pointsBefore: 40, pointsVersion: 3 };
const decided = { userId: 1, challengeId: 2, title: 'A walk', points: 10, by: null, reason: '' };

const challenge = {
  ...{ id: 2, name: 'A walk', description: '', difficulty: 'Easy', points: 10 },
  ...{ locationName: '', streetAddress: '', city: 'Queens', state: 'NY', zip: '', position: null },
  ...{ startDate: null, endDate: null, timeZone: 'America/New_York', creator: { id: 1, username: 'ann' } },
  createdAt: new Date(0).toISOString(),
};

const completion = {
  ...{ challengeId: 2, userId: 1, points: 10, creatorId: 3 },
  completedAt: new Date(0).toISOString(),
};

const hidden = {
  ...{ caseId: 'challenge-2', kind: 'challenge', subjectId: 2, title: 'A walk', version: 1 },
  ...{ decision: 'hide', byReports: false, state: 'hidden', suspendedUntil: null },
};

interface Example {
  former: { name: string; data: object };
  current: { name: string; data: object };
}

const examples: Example[] = [
  {
    former: { name: 'points.withdrawn.v1', data: { ...sum, withdrawn: 30 } },
    current: { name: 'points.revoked.v1', data: { ...sum, revoked: 30 } },
  },
  {
    former: { name: 'archive.made.v1', data: { userId: 1, until: completion.completedAt } },
    current: { name: 'archive.ready.v1', data: { userId: 1, until: completion.completedAt } },
  },
  {
    former: { name: 'report.made.v1', data: { caseId: 'user-1' } },
    current: { name: 'report.filed.v1', data: { caseId: 'user-1' } },
  },
  {
    former: { name: 'appeal.made.v1', data: { userId: 1, words: 'Why?' } },
    current: { name: 'appeal.filed.v1', data: { userId: 1, comment: 'Why?' } },
  },
  {
    former: { name: 'moderation.decided.v1', data: { ...hidden, concernedId: 3 } },
    current: { name: 'moderation.decided.v1', data: { ...hidden, affectedUserId: 3 } },
  },
  {
    former: { name: 'challenge.deleted.v1', data: { challengeId: 2, withdrawn: true } },
    current: { name: 'challenge.deleted.v1', data: { challengeId: 2, revokesPoints: true } },
  },
  ...['challenge.created.v1', 'challenge.updated.v1'].map((name) => ({
    former: { name, data: { challenge: { ...challenge, scene: 'park', checkInAsked: true }, version: 1 } },
    current: {
      name,
      data: { challenge: { ...challenge, placeCategory: 'park', checkInRequired: true }, version: 1 },
    },
  })),
  ...['challenge.joined.v1', 'challenge.left.v1'].map((name) => ({
    former: { name, data: { lineId: 5, challengeId: 2, userId: 1 } },
    current: { name, data: { participationId: 5, challengeId: 2, userId: 1 } },
  })),
  {
    former: { name: 'challenge.completed.v1', data: { lineId: 5, ...completion, doubt: 'pace' } },
    current: {
      name: 'challenge.completed.v1',
      data: { participationId: 5, ...completion, flagReason: 'pace' },
    },
  },
  ...Object.entries({ hold: 'flag', release: 'approve', withdraw: 'revoke' }).map(([former, decision]) => ({
    former: { name: 'points.decided.v1', data: { ...decided, decision: former } },
    current: { name: 'points.decided.v1', data: { ...decided, decision } },
  })),
];

describe('an event of version 0.1.0', () => {
  it.each(examples)('is read with the names of this version: $former', ({ former, current }) => {
    const event = parseEvent({ id: randomUUID(), occurredAt: new Date(0).toISOString(), ...former });
    expect(event).toMatchObject(current);
    // With the names of this version it stays as it is.
    expect(eventToContract(event)).toEqual(event);
  });
});
