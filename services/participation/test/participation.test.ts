import { newEvent } from '@wayquest/platform/bus';
import { eventually, type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function annAndBob(changes: Parameters<typeof newChallenge>[1] = {}) {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const challenge = await newChallenge(ann, changes);
  return { ann, bob, challenge, body: { challengeId: challenge.id } };
}

describe('joining', () => {
  it('answers a line with its challenge and person nested, right after the challenge was made', async () => {
    const { bob, challenge, body } = await annAndBob();
    const line = await bob.client.joinChallenge({ body });
    const { participants: _, ...details } = challenge;
    expect(line).toMatchObject({
      userId: bob.me.id,
      challengeId: challenge.id,
      completed: false,
      completedAt: null,
      points: challenge.points,
      challenge: details,
      user: { id: bob.me.id, username: bob.username },
    });
    expect(await bob.client.listLines()).toEqual([line]);
  });

  it('takes a whole challenge as the body, as older clients send it, and no other person’s id', async () => {
    const { ann, bob, challenge } = await annAndBob();
    const line = await bob.client.joinChallenge({
      body: { ...challenge, userId: ann.me.id } as { id: number },
    });
    expect(line.userId).toBe(bob.me.id);
  });

  it('makes one line however often and at once it is asked: the first is 201, the others 200 with the same', async () => {
    const { bob, body } = await annAndBob();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${network.url}/api/challengeLine/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return { status: response.status, id: (await response.json()).id as number };
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await bob.client.listLines()).toHaveLength(1);
  });

  it('is 404 for a challenge that is not there', async () => {
    const bob = await newUser(network);
    await expect(bob.client.joinChallenge({ body: { challengeId: 999_999_999 } })).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  });

  it('shows the participants of a challenge to anyone, without what is private', async () => {
    const { ann, bob, challenge, body } = await annAndBob();
    await ann.client.joinChallenge({ body });
    await bob.client.joinChallenge({ body });
    await bob.client.updateMe({
      body: { email: 'bob@example.org', streetAddress: '1 Main St', city: 'Queens' },
    });
    await network.settle();
    const lines = await network.client().listLines({ query: { challengeId: challenge.id } });
    expect(lines.map(({ user }) => user.username)).toEqual([ann.username, bob.username]);
    expect(lines[1]?.user.city).toBe('Queens');
    expect(JSON.stringify(lines)).not.toMatch(/bob@example|1 Main St/);
    expect(
      await network.client().listLines({ query: { challengeId: challenge.id, userId: bob.me.id } }),
    ).toHaveLength(1);
    await expect(network.client().listLines()).rejects.toMatchObject({ status: 401 });
  });
});

describe('completing', () => {
  it('sets the line completed, once and for good', async () => {
    const { bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    const done = await bob.client.updateLine({ params: { id }, body: { completed: true } });
    expect(done.completed).toBe(true);
    const after = Date.now();
    expect(Date.parse(done.completedAt ?? '')).toBeLessThanOrEqual(after);
    const again = await bob.client.updateLine({ params: { id }, body: { completed: true } });
    // Only the person's points may have come in between.
    expect({ ...again, user: done.user }).toEqual(done);
    await expect(bob.client.updateLine({ params: { id }, body: { completed: false } })).rejects.toMatchObject(
      {
        status: 409,
        problem: { code: 'already-completed' },
      },
    );
  });

  it('is for the owner alone, admins included', async () => {
    const { ann, bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    const admin = network.client(network.signToken({ sub: '900002', admin: true }));
    for (const client of [ann.client, admin]) {
      await expect(client.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
        status: 403,
      });
    }
  });

  it.each([
    ['not-started', { startDate: daysFromNow(2) }, /starts on/],
    ['already-ended', { startDate: daysFromNow(-9), endDate: daysFromNow(-2) }, /ended on/],
  ])('is refused (%s) outside the challenge’s days, with a sentence', async (code, changes, sentence) => {
    const { bob, body } = await annAndBob(changes);
    const { id } = await bob.client.joinChallenge({ body });
    await expect(bob.client.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(sentence),
      problem: { code },
    });
  });

  it('counts the last day to its end where the place is', async () => {
    // Kiritimati is the first place on Earth to see a day, 14 hours ahead of UTC; Niue is among the last.
    const dayAt = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
    const kiritimati = { lat: 1.87, lng: -157.43 };
    const { bob, body } = await annAndBob({ position: kiritimati, endDate: dayAt('Pacific/Kiritimati') });
    const { id } = await bob.client.joinChallenge({ body });
    expect((await bob.client.updateLine({ params: { id }, body: { completed: true } })).completed).toBe(true);

    const early = await annAndBob({ position: kiritimati, endDate: dayAt('Pacific/Niue') });
    const line = await early.bob.client.joinChallenge({ body: early.body });
    await expect(
      early.bob.client.updateLine({ params: { id: line.id }, body: { completed: true } }),
    ).rejects.toMatchObject({ problem: { code: 'already-ended' } });
  });
});

describe('leaving', () => {
  it('removes the line; joining again makes a new one', async () => {
    const { bob, challenge, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    await bob.client.leaveChallenge({ params: { id } });
    expect(await bob.client.listLines()).toEqual([]);
    await expect(bob.client.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 });
    const again = await bob.client.joinChallenge({ body });
    expect(again.id).not.toBe(id);
    await network.settle();
    expect((await network.client().getChallenge({ params: { id: challenge.id } })).participants).toBe(1);
  });

  it('is for the owner and for admins', async () => {
    const { ann, bob, body } = await annAndBob();
    const { id } = await bob.client.joinChallenge({ body });
    await expect(ann.client.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 403 });
    const admin = network.client(network.signToken({ sub: '900003', admin: true }));
    await admin.leaveChallenge({ params: { id } });
    expect(await bob.client.listLines()).toEqual([]);
  });
});

describe('what other services tell', () => {
  it('does not bring back a deleted challenge, whichever event comes first', async () => {
    const { bob, challenge } = await annAndBob();
    const { participants: _, ...details } = challenge;
    const ghost = { ...details, id: 8_000_000 + challenge.id };
    await network.bus.publish(newEvent('challenge.deleted.v1', { challengeId: ghost.id }));
    await network.bus.publish(newEvent('challenge.created.v1', { challenge: ghost, version: 1 }));
    await expect(bob.client.joinChallenge({ body: { challengeId: ghost.id } })).rejects.toMatchObject({
      problem: { code: 'challenge-not-found' },
    });
  });

  it('shows the points that a participant has now', async () => {
    const { bob, challenge, body } = await annAndBob({ points: 17 });
    const { id } = await bob.client.joinChallenge({ body });
    await bob.client.updateLine({ params: { id }, body: { completed: true } });
    await eventually(async () => {
      const [line] = await network.client().listLines({ query: { challengeId: challenge.id } });
      expect(line?.user.points).toBe(17);
    });
  });
});
