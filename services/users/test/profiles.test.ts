import { randomUUID } from 'node:crypto';
import { generatedAvatar } from '@wayquest/contracts';
import {
  eventually,
  type Network,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import mongoose from 'mongoose';
import sharp from 'sharp';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users'] });
});
afterAll(() => network?.stop());

describe('a user’s own profile', () => {
  it('exists right after signup, created from the token if necessary', async () => {
    const stranger = network.client(network.signToken({ sub: '800001', username: 'early-bird' }));
    expect(await stranger.getMe()).toMatchObject({
      id: 800_001,
      username: 'early-bird',
      points: 0,
      admin: false,
    });
  });

  it('changes the fields that its owner edits, and ignores others', async () => {
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

  it('is published only if something changed, and can be changed twenty times a minute (code 8)', async () => {
    const ann = await newUser(network);
    await network.settle();
    const history = recordEvents(network);
    const published = () =>
      history.filter(({ name, data }) => name === 'user.profile-changed.v1' && data.user.id === ann.me.id);
    await ann.client.updateMe({ body: ann.me });
    await ann.client.updatePrivacy({ body: await ann.client.getPrivacy() });
    await network.settle();
    expect(published()).toEqual([]);
    for (let n = 0; n < 19; n += 1)
      for (const _ of ['first', 'repeated']) await ann.client.updateMe({ body: { firstName: `Ann ${n}` } });
    await ann.client.updatePrivacy({ body: { presence: false } });
    await network.settle();
    expect(published()).toHaveLength(20);
    await expect(ann.client.updateMe({ body: { firstName: 'Anna' } })).rejects.toMatchObject({
      status: 429,
      problem: { detail: "You've reached the limit of 20 changes a minute. Please wait a moment." },
    });
    await expect(ann.client.updatePrivacy({ body: { presence: true } })).rejects.toMatchObject({
      status: 429,
    });
  });

  it('says how often the username can be changed (code 8)', async () => {
    const ann = await newUser(network);
    const rename = () => ann.client.updateMe({ body: { username: `ann-${randomUUID().slice(0, 12)}` } });
    for (let n = 0; n < 3; n += 1) await rename();
    await expect(rename()).rejects.toMatchObject({
      status: 429,
      problem: { detail: "You've reached the limit of 3 new usernames a day. Please try again tomorrow." },
    });
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['username', { username: 'a b' }],
    ['firstName', { firstName: 'x'.repeat(61) }],
    ['city', { city: { $gt: '' } as unknown as string }],
  ])('rejects an invalid %s and names it', async (field, body) => {
    const ann = await newUser(network);
    await expect(ann.client.updateMe({ body })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [expect.objectContaining({ field })] },
    });
  });

  it('accepts an unused username only, and shows it everywhere', async () => {
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

  it('merges concurrent changes of different fields', async () => {
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

describe('other users', () => {
  it('are shown without private fields', async () => {
    const ann = await newUser(network);
    await ann.client.updateMe({
      body: { email: 'ann@example.org', streetAddress: '1 Main St', zip: '11368' },
    });
    // The raw response, since parsing would drop undeclared fields.
    const seen = await fetch(`${network.url}/api/users/${ann.me.id}`);
    expect(Object.keys(await seen.json()).sort()).toEqual(
      ['avatar', 'city', 'firstName', 'id', 'lastName', 'points', 'state', 'username'].sort(),
    );
    await expect(network.client().getUser({ params: { id: 999_999 } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it.each([
    ['lodz', 'Łódź'],
    ['strasse', 'Straße'],
    ['orsted', 'Ørsted'],
    ['图书馆', '圖書館'],
  ])('a search for %s finds the user %s', async (search, lastName) => {
    const ann = await newUser(network);
    await ann.client.updateMe({ body: { lastName } });
    const found = await network.client().listUsers({ query: { search } });
    expect(found.map(({ id }) => id)).toEqual([ann.me.id]);
  });

  it('are found by beginnings of words of username and names, ignoring case and accents, and by ids', async () => {
    const ann = await newUser(network);
    const bob = await newUser(network);
    await ann.client.updateMe({ body: { firstName: `Zoë${ann.me.id}`, lastName: 'O.Haraldsdottir' } });
    const find = async (query: object) => (await network.client().listUsers({ query })).map(({ id }) => id);
    expect(await find({ search: `zoe${ann.me.id}` })).toEqual([ann.me.id]);
    expect(await find({ search: bob.username.slice(0, -1).toUpperCase() })).toContain(bob.me.id);
    expect(await find({ search: `har zoë${ann.me.id}` })).toEqual([ann.me.id]);
    for (const search of ['araldsdottir', '.*', 'O.*araldsdottir'])
      expect(await find({ search })).not.toContain(ann.me.id);
    await ann.client.updateMe({ body: { firstName: '' } });
    expect(await find({ search: `zoe${ann.me.id}` })).toEqual([]);
    expect(await find({ ids: `${bob.me.id},${ann.me.id}` })).toEqual(
      [ann.me.id, bob.me.id].sort((a, b) => a - b),
    );
  });

  it('are suggested in random order, without oneself and friends', async () => {
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

  it('have a generated picture by default', async () => {
    const ann = await newUser(network);
    const response = await fetch(`${network.url}/public/profile-pics/${ann.me.avatar}`);
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(response.headers.get('cache-control')).toMatch(/immutable/);
    const picture = await response.text();
    expect(picture).toMatch(/^<svg /);
    const rendered = async (file: string) =>
      (await fetch(`${network.url}/public/profile-pics/${file}`)).text();
    expect(await rendered(`explorer-${ann.me.id}.svg`)).toBe(picture);
    const crowd = await Promise.all(Array.from({ length: 32 }, (_, n) => rendered(generatedAvatar(n + 1))));
    expect(new Set(crowd).size).toBe(32);
    expect((await fetch(`${network.url}/public/profile-pics/nobody.svg`)).status).toBe(404);
  });
});

describe('uploading a picture', () => {
  const drawing = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#957ac1' } });
  const upload = (user: TestUser, data: Uint8Array, type = 'image/png') =>
    user.client.updatePicture({ body: new Blob([Buffer.from(data)], { type }) });
  const fetchPicture = (avatar: string) => fetch(`${network.url}/public/profile-pics/${avatar}`);

  it('stores a square without metadata, and replaces the previous one', async () => {
    const ann = await newUser(network);
    const file = await drawing(900, 300)
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .jpeg()
      .toBuffer();
    const { avatar } = await upload(ann, file, 'image/jpeg');
    const served = await fetchPicture(avatar);
    expect(served.headers.get('content-type')).toBe('image/webp');
    const picture = Buffer.from(await served.arrayBuffer());
    const { exif, ...metadata } = await sharp(picture).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect(exif).toBeUndefined();

    const second = await upload(ann, await drawing(64, 64).png().toBuffer());
    expect((await fetchPicture(second.avatar)).status).toBe(200);
    expect((await fetchPicture(avatar)).status).toBe(404);
    expect((await network.client().getUser({ params: { id: ann.me.id } })).avatar).toBe(second.avatar);
  });

  it('leaves exactly one picture after concurrent uploads', async () => {
    const ann = await newUser(network);
    const file = await drawing(64, 64).png().toBuffer();
    for (let round = 0; round < 5; round++) {
      const chosen = await Promise.all(Array.from({ length: 6 }, () => upload(ann, file)));
      const { avatar: shown } = await ann.client.getMe();
      for (const { avatar } of chosen)
        expect((await fetchPicture(avatar)).status).toBe(avatar === shown ? 200 : 404);
    }
  });

  it('deletes pictures that crashes left behind, but not those of uploads in progress', async () => {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const file = await drawing(64, 64).png().toBuffer();
    const { avatar: first } = await upload(ann, file);
    const { avatar: shown } = await upload(bob, file);
    const left = {
      /** Stored, but the process crashed before it became the current one. */
      never: { _id: `${ann.me.id}-never.webp`, userId: ann.me.id },
      /** The previous one: the process crashed before it was deleted. */
      before: { _id: `${bob.me.id}-before.webp`, userId: bob.me.id },
      /** An upload in progress on another instance. */
      now: { _id: `${ann.me.id}-now.webp`, userId: ann.me.id },
    };
    const hourAgo = new Date(Date.now() - 60 * 60 * 1_000);
    const store = await mongoose
      .createConnection(network.mongoUrl, { dbName: `${network.databasePrefix}_users` })
      .asPromise();
    try {
      const pictures = store.collection<{ _id: string; userId: number; data: Buffer; chosenAt?: Date }>(
        'pictures',
      );
      const data = await sharp(file).webp().toBuffer();
      await pictures.insertOne({ ...left.never, data, chosenAt: hourAgo });
      await pictures.insertOne({ ...left.before, data });
      await pictures.updateOne({ _id: shown }, { $set: { chosenAt: hourAgo } });
      await pictures.insertOne({ ...left.now, data, chosenAt: new Date() });
    } finally {
      await store.close();
    }
    expect((await fetchPicture(left.never._id)).status).toBe(200);

    await upload(await newUser(network), file);
    await eventually(async () => {
      const statuses = [];
      for (const { _id } of [left.never, left.before]) statuses.push((await fetchPicture(_id)).status);
      expect(statuses).toEqual([404, 404]);
    });
    for (const avatar of [first, shown, left.now._id]) expect((await fetchPicture(avatar)).status).toBe(200);
  });

  it('accepts the documented maximum length and minimum size', async () => {
    const long = await drawing(6_000, 64).png().toBuffer();
    expect((await upload(await newUser(network), long)).avatar).toMatch(/\.webp$/);
  });

  it.each([
    ['too small', () => drawing(63, 200).png().toBuffer(), 'image/png'],
    ['too large', () => drawing(6_001, 64).png().toBuffer(), 'image/png'],
    ['of more than 16 megapixels', () => drawing(4_001, 4_000).png().toBuffer(), 'image/png'],
    ['text that says it is a picture', async () => Buffer.from('<svg onload="alert(1)"/>'), 'image/png'],
    ['a kind that is not taken', () => drawing(100, 100).gif().toBuffer(), 'image/png'],
    ['a kind that says so', () => drawing(100, 100).png().toBuffer(), 'image/gif'],
    ['half a picture', async () => (await drawing(300, 300).png().toBuffer()).subarray(0, 200), 'image/png'],
    ['nothing', async () => Buffer.alloc(0), 'image/png'],
  ])('rejects a picture that is %s', async (_what, draw, type) => {
    const ann = await newUser(network);
    await expect(upload(ann, await draw(), type)).rejects.toMatchObject({
      problem: { code: 'unsupported-image' },
    });
    expect((await ann.client.getMe()).avatar).toBe(ann.me.avatar);
  });
});
