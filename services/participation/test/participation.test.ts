import { newEvent } from '@wayquest/platform/bus';
import { eventually, type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'challenges', 'participation'] });
});
afterAll(() => network?.stop());

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function annAndBob(changes: Parameters<typeof newChallenge>[1] = {}) {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const challenge = await newChallenge(ann, changes);
  return { ann, bob, challenge, body: { challengeId: challenge.id } };
}

describe('joining', () => {
  it('returns a participation with its challenge and user nested, immediately after the challenge was created', async () => {
    const { bob, challenge, body } = await annAndBob();
    const participation = await bob.client.joinChallenge({ body });
    const { participants: _, can: __, ...details } = challenge;
    expect(participation).toMatchObject({
      userId: bob.me.id,
      challengeId: challenge.id,
      completed: false,
      completedAt: null,
      points: challenge.points,
      challenge: details,
      user: { id: bob.me.id, username: bob.username },
    });
    expect(await bob.client.listParticipations()).toEqual([participation]);
  });

  it('accepts a challenge as the body, as older clients send it, and ignores another user’s id in it', async () => {
    const { ann, bob, challenge } = await annAndBob();
    const participation = await bob.client.joinChallenge({
      body: { ...challenge, userId: ann.me.id } as { id: number },
    });
    expect(participation.userId).toBe(bob.me.id);
  });

  it('creates one participation for concurrent calls: one responds 201, the others 200 with the same participation', async () => {
    const { bob, body } = await annAndBob();
    const responses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${network.url}/api/challengeLine/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return { status: response.status, id: (await response.json()).id as number };
      }),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(await bob.client.listParticipations()).toHaveLength(1);
  });

  it('rejects a challenge that does not exist', async () => {
    const bob = await newUser(network);
    await expect(bob.client.joinChallenge({ body: { challengeId: 999_999_999 } })).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  });

  it('shows the participants of a challenge to visitors, without private fields', async () => {
    const { ann, bob, challenge, body } = await annAndBob();
    await ann.client.joinChallenge({ body });
    await bob.client.joinChallenge({ body });
    await bob.client.updateMe({
      body: { email: 'bob@example.org', streetAddress: '1 Main St', city: 'Queens' },
    });
    await network.settle();
    const participations = await network
      .client()
      .listParticipations({ query: { challengeId: challenge.id } });
    expect(participations.map(({ user }) => user.username)).toEqual([ann.username, bob.username]);
    expect(participations[1]?.user.city).toBe('Queens');
    expect(JSON.stringify(participations)).not.toMatch(/bob@example|1 Main St/);
    expect(
      await network.client().listParticipations({ query: { challengeId: challenge.id, userId: bob.me.id } }),
    ).toHaveLength(1);
    await expect(network.client().listParticipations()).rejects.toMatchObject({ status: 401 });
  });
});

describe('completing', () => {
  it('sets the participation to completed, permanently', async () => {
    const { bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    const done = await bob.client.updateParticipation({ params: { id }, body: { completed: true } });
    expect(done.completed).toBe(true);
    const after = Date.now();
    expect(Date.parse(done.completedAt ?? '')).toBeLessThanOrEqual(after);
    const again = await bob.client.updateParticipation({ params: { id }, body: { completed: true } });
    // Only the user's points may have changed in between.
    expect({ ...again, user: done.user }).toEqual(done);
    await expect(
      bob.client.updateParticipation({ params: { id }, body: { completed: false } }),
    ).rejects.toMatchObject({
      status: 409,
      problem: { code: 'already-completed' },
    });
  });

  it('is allowed for the owner only, not even for admins', async () => {
    const { ann, bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    const admin = network.client(network.signToken({ sub: '900002', admin: true }));
    for (const client of [ann.client, admin]) {
      await expect(
        client.updateParticipation({ params: { id }, body: { completed: true } }),
      ).rejects.toMatchObject({
        status: 403,
      });
    }
  });

  it.each([
    ['not-started', { startDate: daysFromNow(2) }, /starts on/],
    ['already-ended', { startDate: daysFromNow(-9), endDate: daysFromNow(-2) }, /ended on/],
  ])('is rejected with %s outside the challenge’s dates', async (code, changes, sentence) => {
    const { ann, bob, challenge, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    const { name, difficulty } = challenge;
    await ann.client.updateChallenge({
      params: { id: challenge.id },
      body: { name, difficulty, ...changes },
    });
    await network.settle();
    await expect(
      bob.client.updateParticipation({ params: { id }, body: { completed: true } }),
    ).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(sentence),
      problem: { code },
    });
  });

  it('is possible until the end of the last day in the challenge’s time zone', async () => {
    // Kiritimati is 14 hours ahead of UTC, Niue 11 hours behind.
    const dayAt = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
    const kiritimati = { lat: 1.87, lng: -157.43 };
    const { bob, body } = await annAndBob({ position: kiritimati, endDate: dayAt('Pacific/Kiritimati') });
    const { id } = await bob.client.joinChallenge({ body });
    expect(
      (await bob.client.updateParticipation({ params: { id }, body: { completed: true } })).completed,
    ).toBe(true);

    const ended = await annAndBob({ position: kiritimati, endDate: dayAt('Pacific/Niue') });
    await expect(ended.bob.client.joinChallenge({ body: ended.body })).rejects.toMatchObject({
      problem: { code: 'already-ended' },
    });
  });
});

it('joining a challenge that has ended returns the participation to those who joined before, and is rejected for others (53)', async () => {
  const { ann, bob, challenge, body } = await annAndBob();
  const joined = await bob.client.joinChallenge({ body });
  const { name, difficulty } = challenge;
  await ann.client.updateChallenge({
    params: { id: challenge.id },
    body: { name, difficulty, endDate: '2020-01-01' },
  });
  await network.settle();
  expect(await bob.client.joinChallenge({ body })).toMatchObject({ id: joined.id });
  const eve = await newUser(network);
  await expect(eve.client.joinChallenge({ body })).rejects.toMatchObject({
    problem: { code: 'already-ended' },
  });
});

describe('leaving', () => {
  it('deletes the participation; joining again creates a new one', async () => {
    const { bob, challenge, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    await bob.client.leaveChallenge({ params: { id } });
    expect(await bob.client.listParticipations()).toEqual([]);
    await expect(bob.client.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 });
    const again = await bob.client.joinChallenge({ body });
    expect(again.id).not.toBe(id);
    await network.settle();
    expect((await network.client().getChallenge({ params: { id: challenge.id } })).participants).toBe(1);
  });

  it('is rejected once the challenge is completed, and what was earned stays (53, finding 1)', async () => {
    const { bob, body } = await annAndBob();
    const joined = await bob.client.joinChallenge({ body });
    expect(joined.can).toEqual({ complete: true, leave: true });
    const params = { id: joined.id };
    const completed = await bob.client.updateParticipation({ params, body: { completed: true } });
    expect(completed.can).toEqual({ complete: false, leave: false });
    await expect(bob.client.leaveChallenge({ params })).rejects.toMatchObject({
      problem: { code: 'already-completed' },
    });
    expect(await bob.client.listParticipations()).toEqual([completed]);
  });

  it('and completing are offered to the participant alone (53.1)', async () => {
    const { ann, bob, challenge, body } = await annAndBob({ startDate: '2099-01-01' });
    await bob.client.joinChallenge({ body });
    await network.settle();
    const query = { challengeId: challenge.id };
    expect((await bob.client.listParticipations({ query }))[0]?.can).toEqual({
      complete: false,
      leave: true,
    });
    expect((await ann.client.listParticipations({ query }))[0]?.can).toBeUndefined();
    expect((await network.client().listParticipations({ query }))[0]?.can).toBeUndefined();
  });

  it('is allowed for the owner and admins only', async () => {
    const { ann, bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    await expect(ann.client.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 403 });
    const admin = network.client(network.signToken({ sub: '900003', admin: true }));
    await admin.leaveChallenge({ params: { id } });
    expect(await bob.client.listParticipations()).toEqual([]);
  });
});

describe('events of other services', () => {
  it('do not restore a deleted challenge if its creation arrives later', async () => {
    const { bob, challenge } = await annAndBob();
    const { participants: _, can: __, ...details } = challenge;
    const deletedChallenge = { ...details, id: 8_000_000 + challenge.id };
    await network.bus.publish(newEvent('challenge.deleted.v1', { challengeId: deletedChallenge.id }));
    await network.bus.publish(newEvent('challenge.created.v1', { challenge: deletedChallenge, version: 1 }));
    await expect(
      bob.client.joinChallenge({ body: { challengeId: deletedChallenge.id } }),
    ).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  });

  it('update the points of participants', async () => {
    const { bob, challenge, body } = await annAndBob({ points: 17 });
    const { id } = await bob.client.joinChallenge({ body });
    await bob.client.updateParticipation({ params: { id }, body: { completed: true } });
    await eventually(async () => {
      const [participation] = await network
        .client()
        .listParticipations({ query: { challengeId: challenge.id } });
      expect(participation?.user.points).toBe(17);
    });
  });
});
