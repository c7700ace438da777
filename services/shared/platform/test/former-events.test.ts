import { randomUUID } from 'node:crypto';
import { eventToContract, parseEvent } from '@wayquest/platform/bus';

const written = (name: string, data: object) => ({
  ...{ id: randomUUID(), name, occurredAt: new Date(0).toISOString(), data },
});

const sum = { userId: 1, challengeId: 2, points: 10, pointsBefore: 40, pointsVersion: 3 };
const decided = { userId: 1, challengeId: 2, title: 'A walk', points: 10, by: null, reason: '' };

describe('events of version 0.1.0', () => {
  it.each([
    [
      'points.withdrawn.v1',
      { ...sum, withdrawn: 30 },
      { name: 'points.revoked.v1', data: { ...sum, revoked: 30 } },
    ],
    [
      'challenge.deleted.v1',
      { challengeId: 2, withdrawn: true },
      { name: 'challenge.deleted.v1', data: { challengeId: 2, revokesPoints: true } },
    ],
    ...([
      ['hold', 'flag'],
      ['release', 'approve'],
      ['withdraw', 'revoke'],
    ] as const).map(
      ([former, decision]) =>
        [
          'points.decided.v1',
          { ...decided, decision: former },
          { name: 'points.decided.v1', data: { ...decided, decision } },
        ] as const,
    ),
  ])('%s is read with the names of this version: %j', (name, data, expected) => {
    const event = parseEvent(written(name, data));
    expect(event).toMatchObject(expected);
    // An event with the names of this version stays as it is.
    expect(eventToContract(event)).toEqual(event);
  });
});
