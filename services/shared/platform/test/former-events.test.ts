import { randomUUID } from 'node:crypto';
import { eventToContract, parseEvent } from '@wayquest/platform/bus';

const sum = { userId: 1, challengeId: 2, points: 10, pointsBefore: 40, pointsVersion: 3 };
const decided = { userId: 1, challengeId: 2, title: 'A walk', points: 10, by: null, reason: '' };

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
    former: { name: 'challenge.deleted.v1', data: { challengeId: 2, withdrawn: true } },
    current: { name: 'challenge.deleted.v1', data: { challengeId: 2, revokesPoints: true } },
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
