import { type Network, newUser, startNetwork } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

describe('the caller’s own profile', () => {
  it('is there at once after signup, made from the token if need be', async () => {
    const stranger = network.client(network.signToken({ sub: '800001', username: 'early-bird' }));
    expect(await stranger.getMe()).toMatchObject({
      id: 800_001,
      username: 'early-bird',
      points: 0,
      admin: false,
    });
  });

  it('changes the fields that are its owner’s and ignores the others', async () => {
    const ann = await newUser(network);
    const body = {
      ...ann.me,
      firstName: '  Ann ',
      zip: 7030,
      city: 'Hoboken',
      email: 'ann@example.org',
      points: 5_000,
      admin: true,
      id: 1,
      avatar: 'someone-else.svg',
    };
    expect(await ann.client.updateMe({ body })).toEqual({
      ...ann.me,
      firstName: 'Ann',
      zip: '7030',
      city: 'Hoboken',
      email: 'ann@example.org',
    });
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['username', { username: 'a b' }],
    ['firstName', { firstName: 'x'.repeat(61) }],
    ['city', { city: { $gt: '' } as unknown as string }],
  ])('refuses a wrong %s and names it', async (field, body) => {
    const ann = await newUser(network);
    await expect(ann.client.updateMe({ body })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [expect.objectContaining({ field })] },
    });
  });

  it('takes a new username only when nobody has it, and shows it everywhere', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    await expect(
      ann.client.updateMe({ body: { username: bob.username.toUpperCase() } }),
    ).rejects.toMatchObject({
      status: 409,
      message: 'That username is taken',
    });
    const username = `${ann.username}-new`;
    expect((await ann.client.updateMe({ body: { username, city: 'Queens' } })).username).toBe(username);
    await network.settle();
    expect(await network.client().getUser({ params: { id: ann.me.id } })).toMatchObject({
      username,
      city: 'Queens',
    });
  });

  it('keeps changes of different fields that are made at the same moment', async () => {
    const ann = await newUser(network);
    const changes = [
      { firstName: 'Ann' },
      { lastName: 'Lee' },
      { city: 'Queens' },
      { state: 'NY' },
      { zip: '11368' },
    ];
    await Promise.all(changes.map((body) => ann.client.updateMe({ body })));
    expect(await ann.client.getMe()).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('other people', () => {
  it('are shown without what is private', async () => {
    const ann = await newUser(network);
    await ann.client.updateMe({
      body: { email: 'ann@example.org', streetAddress: '1 Main St', zip: '11368' },
    });
    const seen = await network.client().getUser({ params: { id: ann.me.id } });
    expect(Object.keys(seen).sort()).toEqual(
      ['avatar', 'city', 'firstName', 'id', 'lastName', 'points', 'state', 'username'].sort(),
    );
    await expect(network.client().getUser({ params: { id: 999_999 } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('are found by a part of username or names, without regard to case, and by ids', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    await ann.client.updateMe({ body: { firstName: `Zoë${ann.me.id}`, lastName: 'O.Hara' } });
    const find = async (query: object) => (await network.client().listUsers({ query })).map(({ id }) => id);
    expect(await find({ search: `zoë${ann.me.id}` })).toEqual([ann.me.id]);
    expect(await find({ search: bob.username.slice(2).toUpperCase() })).toContain(bob.me.id);
    expect(await find({ search: 'O.H' })).toContain(ann.me.id);
    expect(await find({ search: 'O.*a' })).toEqual([]);
    expect(await find({ ids: `${bob.me.id},${ann.me.id}` })).toEqual(
      [ann.me.id, bob.me.id].sort((a, b) => a - b),
    );
  });

  it('are suggested at random, never oneself and never a friend', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    for (let i = 0; i < 7; i++) await newUser(network);
    await network.bus.publish({
      id: crypto.randomUUID(),
      name: 'friend.accepted.v1',
      occurredAt: new Date().toISOString(),
      data: { requestId: 1, userIds: [bob.me.id, ann.me.id] },
    });
    for (let i = 0; i < 10; i++) {
      const suggested = await ann.client.listUsers({ query: { suggested: 6 } });
      expect(new Set(suggested.map(({ id }) => id)).size).toBe(6);
      expect(suggested.map(({ id }) => id)).not.toEqual(expect.arrayContaining([ann.me.id]));
      expect(suggested.map(({ id }) => id)).not.toEqual(expect.arrayContaining([bob.me.id]));
    }
  });

  it('have a picture of their own from the start', async () => {
    const ann = await newUser(network);
    const response = await fetch(`${network.url}/public/profile-pics/${ann.me.avatar}`);
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(response.headers.get('cache-control')).toMatch(/immutable/);
    const picture = await response.text();
    expect(picture).toMatch(/^<svg /);
    expect(
      await (await fetch(`${network.url}/public/profile-pics/explorer-${ann.me.id + 1}.svg`)).text(),
    ).not.toBe(picture);
    expect((await fetch(`${network.url}/public/profile-pics/nobody.svg`)).status).toBe(404);
  });
});
