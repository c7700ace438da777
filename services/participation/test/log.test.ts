import type { Audience, ChallengeDetails, LogEntry } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import {
  createTestClock,
  type IsolatedService,
  newDecision,
  signToken,
  startIsolatedService,
} from '@wayquest/testing';
import sharp from 'sharp';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

const minute = 60_000;

const clock = createTestClock();
const ago = (minutes: number) => new Date(clock.now() - minutes * minute);

const png = (width = 64, height = 64) => drawing(width, height).png().toBuffer();
const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#957ac1' } });

/** A completion with two interrupted uploads, one 11 minutes and one a minute old. */
const interrupted = {
  participation: {
    ...{ _id: 9_000_000, key: '900:900', userId: 900, challengeId: 900, completed: true, points: 10 },
    ...{ creatorId: 1, joinedAt: ago(60), completedAt: ago(30), outbox: [] },
  },
  photos: { old: 'a'.repeat(32), recent: 'b'.repeat(32) },
};

/** A completion with a photo that version 0.2.0 stored: without a thumbnail. */
const former = {
  participation: {
    ...{ _id: 9_000_001, key: '901:901', userId: 901, challengeId: 901, completed: true, points: 10 },
    ...{ creatorId: 1, joinedAt: ago(60), completedAt: ago(30), outbox: [], photo: 'c'.repeat(32) },
  },
  challenge: { _id: 901, version: 1, deleted: false, details: challengeDetails(901) },
  user: {
    ...{ _id: 901, version: 1, points: 0 },
    profile: { username: 'walker-901', firstName: '', lastName: '', city: '', state: '', avatar: '' },
  },
};

let service: IsolatedService;
beforeAll(async () => {
  const { participation, photos } = interrupted;
  const of = {
    participationId: participation._id,
    challengeId: participation.challengeId,
    userId: participation.userId,
    data: await png(),
  };
  const { _id: participationId, challengeId, userId, photo } = former.participation;
  service = await startIsolatedService({
    ...{ service: 'participation', create: unlimited(), clock },
    stored: {
      participations: [participation, former.participation],
      challenges: [former.challenge],
      users: [former.user],
      photos: [
        { _id: photo, ...of, participationId, challengeId, userId, uploadedAt: ago(20) },
        { _id: photos.old, ...of, uploadedAt: ago(11) },
        { _id: photos.recent, ...of, uploadedAt: ago(1) },
      ],
    },
  });
});
afterAll(() => service?.stop());

const deliver: IsolatedService['deliver'] = (event) => service.deliver(event);

let challenges = 0;
const created = async (changes: Partial<ChallengeDetails> = {}, id = ++challenges) => {
  const challenge = challengeDetails(id, changes);
  await deliver(newEvent('challenge.created.v1', { challenge, version: 1 }));
  return challenge.id;
};

let people = 0;
/** A user who completes challenges and reads logs. */
const walker = ({ admin = false, userId = ++people } = {}) => {
  const username = `walker-${userId}`;
  const token = signToken({ sub: String(userId), username, admin });
  const client = service.client(token);
  const join = async (challengeId: number) => (await client.joinChallenge({ body: { challengeId } })).id;
  const complete = async (challengeId: number) => {
    const id = await join(challengeId);
    await client.updateParticipation({ params: { id }, body: { completed: true } });
    return id;
  };
  const log = (id: number) => client.listLog({ params: { id } });
  const setNote = (id: number, note: string) => client.updateNote({ params: { id }, body: { note } });
  const upload = (id: number, data: Uint8Array, type = 'image/png') =>
    client.updatePhoto({ params: { id }, body: new Blob([Buffer.from(data)], { type }) });
  const load = ({ id, photo }: { id: number; photo: string | null }) =>
    fetch(`${service.url}/api/completions/${id}/photos/${photo}`, {
      headers: { authorization: token },
    });
  return { userId, username, token, client, join, complete, log, setNote, upload, load };
};
type Walker = ReturnType<typeof walker>;

let version = 1;
/** Changes who may see a user's participation. */
const showTo = ({ userId, username }: Walker, audience: Audience) =>
  deliver(
    newEvent('user.profile-changed.v1', {
      user: {
        ...{ id: userId, username, firstName: '', lastName: '', city: '', state: '' },
        ...{ avatar: `explorer-${userId}-2.svg`, points: 0 },
      },
      privacy: { participation: audience, requests: true, presence: true },
      version: ++version,
    }),
  );
const decisionFor = { live: 'restore', hidden: 'hide', deleted: 'delete' } as const;
const decided = (id: number, affectedUserId: number, state: keyof typeof decisionFor, version: number) =>
  deliver(
    newDecision({ kind: 'completion', subjectId: id, affectedUserId, decision: decisionFor[state], version }),
  );
const photosIn = async (participationId: number) =>
  (await service.read('photos')).filter((photo) => photo.participationId === participationId).length;

describe('a challenge’s log', () => {
  it('lists who completed it and when, newest first, page by page, without people who only joined', async () => {
    const challengeId = await created();
    const [ann, bob, cleo, dan] = [walker(), walker(), walker(), walker()];
    await dan.join(challengeId);
    for (const each of [ann, bob, cleo]) {
      await clock.advance(minute);
      await each.complete(challengeId);
    }
    const all = await dan.log(challengeId);
    expect(all.map(({ user }) => user.username)).toEqual([cleo, bob, ann].map(({ username }) => username));
    expect(all[0]).toMatchObject({
      ...{ challengeId, completedAt: new Date(clock.now()).toISOString(), checkedIn: false },
      ...{ note: '', photo: null, hidden: false },
    });
    let next: string | null = null;
    const page = (cursor?: string) =>
      dan.client.listLog(
        { params: { id: challengeId }, query: { limit: 2, ...(cursor && { cursor }) } },
        {
          onHeaders: (headers) => {
            const link = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
            next = link ? new URL(link, service.url).searchParams.get('cursor') : null;
          },
        },
      );
    expect(await page()).toEqual(all.slice(0, 2));
    expect(await page(next ?? 'none')).toEqual(all.slice(2));
    expect(next).toBeNull();
  });

  it('continues within entries of the same time by their ids, and starts again with an invalid cursor', async () => {
    const challengeId = await created();
    const walkers = [walker(), walker(), walker()];
    for (const each of walkers) await each.complete(challengeId);
    const ids = (await walker().log(challengeId)).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    const after = (cursor: string) =>
      walker().client.listLog({ params: { id: challengeId }, query: { cursor } });
    const moment = new Date(clock.now()).toISOString();
    expect((await after(`${moment}~${ids[1]}`)).map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await after('what is this')).map(({ id }) => id)).toEqual(ids);
  });

  it('requires a login', async () => {
    const id = await created();
    const participation = await walker().complete(id);
    const visitor = service.client();
    const rejection = { status: 401 };
    await expect(visitor.listLog({ params: { id } })).rejects.toMatchObject(rejection);
    await expect(visitor.getLogEntry({ params: { id: participation } })).rejects.toMatchObject(rejection);
  });

  it('hides a person, their note and their photo from people who may not see their participation', async () => {
    const challengeId = await created();
    const [ann, friend, stranger, blocked] = [walker(), walker(), walker(), walker()];
    const admin = walker({ admin: true });
    const id = await ann.complete(challengeId);
    await ann.setNote(id, 'Only for some');
    const { photo } = await ann.upload(id, await png());
    await deliver(newEvent('friend.accepted.v1', { requestId: 1, userIds: [ann.userId, friend.userId] }));
    const block = { blockId: 1, userId: ann.userId, blockedId: blocked.userId, version: 1 };
    await deliver(newEvent('user.blocked.v1', block));
    /** Whether a reader can see the completion: in the log, as an entry, and its photo. */
    const seenBy = async (reader: Walker) => {
      const notes = (entries: LogEntry[]) => entries.map(({ note }) => note).join();
      const one = await reader.client.getLogEntry({ params: { id } }).catch(({ problem }) => problem.code);
      return [
        notes(await reader.log(challengeId)) === 'Only for some',
        one === 'entry-not-found' ? false : one.note === 'Only for some',
        (await reader.load({ id, photo })).status === 200,
      ];
    };
    const [all, none] = [
      [true, true, true],
      [false, false, false],
    ];
    expect(await seenBy(stranger)).toEqual(all);
    expect(await seenBy(blocked)).toEqual(none);
    await showTo(ann, 'friends');
    expect(await seenBy(friend)).toEqual(all);
    for (const reader of [stranger, blocked, admin]) expect(await seenBy(reader)).toEqual(none);
    await showTo(ann, 'me');
    for (const reader of [friend, stranger]) expect(await seenBy(reader)).toEqual(none);
    expect(await seenBy(ann)).toEqual(all);
    // Admins have to see reported content.
    await deliver(newEvent('report.filed.v1', { caseId: `completion-${id}` }));
    expect(await seenBy(admin)).toEqual([false, true, true]);
    expect(await seenBy(stranger)).toEqual(none);
  });

  it('returns a full page if some entries are hidden', async () => {
    const challengeId = await created();
    const [ann, bob, cleo] = [walker(), walker(), walker()];
    for (const each of [ann, bob, cleo]) await each.complete(challengeId);
    await showTo(bob, 'me');
    const query = { limit: 2 };
    const entries = await walker().client.listLog({ params: { id: challengeId }, query });
    expect(entries.map(({ user }) => user.id)).toEqual([cleo.userId, ann.userId]);
  });
});

describe('a note', () => {
  it('is added, changed and removed, and trimmed', async () => {
    const ann = walker();
    const id = await ann.complete(await created());
    expect(await ann.setNote(id, '  Five bridges\nand a heron ')).toMatchObject({
      note: 'Five bridges\nand a heron',
    });
    expect(await ann.setNote(id, 'Six')).toMatchObject({ id, note: 'Six' });
    expect(await ann.client.getLogEntry({ params: { id } })).toMatchObject({ note: 'Six' });
    expect(await ann.setNote(id, '')).toMatchObject({ note: '' });
  });

  it('says what the caller can do with the entry (53.1)', async () => {
    const challengeId = await created();
    const [ann, bob] = [walker(), walker()];
    const id = await ann.complete(challengeId);
    const canOf = async (reader: Walker) => (await reader.log(challengeId))[0]?.can;
    expect(await canOf(ann)).toEqual({ edit: true, delete: true, report: false });
    // There is nothing to report yet.
    expect(await canOf(bob)).toEqual({ edit: false, delete: false, report: false });
    expect((await ann.setNote(id, 'Windy')).can).toEqual({ edit: true, delete: true, report: false });
    expect(await canOf(bob)).toEqual({ edit: false, delete: false, report: true });
    await decided(id, ann.userId, 'hidden', 1);
    expect(await canOf(ann)).toEqual({ edit: false, delete: true, report: false });
    expect(await canOf(bob)).toEqual({ edit: false, delete: false, report: false });
  });

  it('is rejected with field and reason if it is too long', async () => {
    const ann = walker();
    const id = await ann.complete(await created());
    expect((await ann.setNote(id, 'x'.repeat(280))).note).toHaveLength(280);
    await expect(ann.setNote(id, 'x'.repeat(281))).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ field: 'note', reason: 'must have at most 280 characters' }] },
    });
  });
});

describe('a note and a photo', () => {
  it('can be added only by the person who completed the challenge, once it is completed', async () => {
    const challengeId = await created();
    const [ann, bob, admin] = [walker(), walker(), walker({ admin: true })];
    const id = await ann.join(challengeId);
    const file = await png();
    const writes = (by: Walker) => [by.setNote(id, 'Mine'), by.upload(id, file)];
    const allRejected = (by: Walker, code: string) =>
      Promise.all(writes(by).map((write) => expect(write).rejects.toMatchObject({ problem: { code } })));
    await allRejected(ann, 'not-completed-yet');
    await ann.client.updateParticipation({ params: { id }, body: { completed: true } });
    for (const other of [bob, admin]) await allRejected(other, 'forbidden');
    await expect(bob.client.removePhoto({ params: { id } })).rejects.toMatchObject({ status: 403 });
    await Promise.all(writes(ann));
    await expect(walker().setNote(987_654, 'Whose?')).rejects.toMatchObject({ status: 404 });
  });

  it('are deleted from the store when an admin removes the participation', async () => {
    const challengeId = await created();
    const ann = walker();
    const id = await ann.complete(challengeId);
    await ann.setNote(id, 'Gone tomorrow');
    const entry = await ann.upload(id, await png());
    await walker({ admin: true }).client.leaveChallenge({ params: { id } });
    expect((await ann.load(entry)).status).toBe(404);
    await service.settle();
    expect(await photosIn(id)).toBe(0);
    expect(JSON.stringify(await service.read('participations'))).not.toContain('Gone tomorrow');
    expect(await walker().log(challengeId)).toEqual([]);
  });

  it('are deleted with their challenge', async () => {
    const challengeId = await created();
    const ann = walker();
    const id = await ann.complete(challengeId);
    const entry = await ann.upload(id, await png());
    await deliver(newEvent('challenge.deleted.v1', { challengeId }));
    expect((await ann.load(entry)).status).toBe(404);
    expect(await photosIn(id)).toBe(0);
  });

  it('are deleted with their owner’s account', async () => {
    const challengeId = await created();
    const ann = walker();
    const id = await ann.complete(challengeId);
    await ann.setNote(id, 'Needle of the deleted');
    const entry = await ann.upload(id, await png());
    await deliver(newEvent('user.deleted.v1', { id: ann.userId }));
    expect((await walker().load(entry)).status).toBe(404);
    expect(await photosIn(id)).toBe(0);
    expect(JSON.stringify(await service.read('participations'))).not.toContain('Needle of the deleted');
  });

  it('are part of their owner’s exported data', async () => {
    const ann = walker();
    const id = await ann.complete(await created());
    await ann.setNote(id, 'For the archive');
    const { photo } = await ann.upload(id, await png());
    const { records } = await ann.client.listOwnParticipationData();
    expect(records).toContainEqual({
      kind: 'participations',
      data: expect.objectContaining({ id, note: 'For the archive', photo }),
    });
  });
});

describe('a note and a photo that moderation hides', () => {
  const hidden = async () => {
    const challengeId = await created();
    const ann = walker();
    const id = await ann.complete(challengeId);
    await ann.setNote(id, 'Something nasty');
    const entry = await ann.upload(id, await png());
    await decided(id, ann.userId, 'hidden', 2);
    return { challengeId, ann, id, entry };
  };

  it('are shown to their owner and admins only; the completion is shown to everybody', async () => {
    const { challengeId, ann, entry } = await hidden();
    const [reader, admin] = [walker(), walker({ admin: true })];
    expect(await reader.log(challengeId)).toMatchObject([{ note: '', photo: null, hidden: false }]);
    expect((await reader.load(entry)).status).toBe(404);
    for (const each of [ann, admin]) {
      expect(await each.log(challengeId)).toMatchObject([
        { note: 'Something nasty', photo: entry.photo, hidden: true },
      ]);
      expect((await each.load(entry)).status).toBe(200);
    }
  });

  it('are shown again once they are restored, also if an older decision arrives late', async () => {
    const { challengeId, ann, id, entry } = await hidden();
    const reader = walker();
    await decided(id, ann.userId, 'live', 4);
    await decided(id, ann.userId, 'hidden', 3);
    expect(await reader.log(challengeId)).toMatchObject([{ note: 'Something nasty', hidden: false }]);
    expect((await reader.load(entry)).status).toBe(200);
  });

  it('can be removed but not changed while they are hidden', async () => {
    const { ann, id } = await hidden();
    const file = await png();
    const rejection = { problem: { code: 'entry-hidden' } };
    await expect(ann.setNote(id, 'Nicer')).rejects.toMatchObject(rejection);
    await expect(ann.upload(id, file)).rejects.toMatchObject(rejection);
    expect(await ann.setNote(id, '')).toMatchObject({ note: '' });
    expect(await ann.client.removePhoto({ params: { id } })).toMatchObject({ photo: null });
    expect(await photosIn(id)).toBe(0);
  });

  it('cannot be replaced once moderation has deleted them', async () => {
    const { challengeId, ann, id, entry } = await hidden();
    await decided(id, ann.userId, 'deleted', 3);
    expect(await ann.log(challengeId)).toMatchObject([{ note: '', photo: null, hidden: false }]);
    expect((await ann.load(entry)).status).toBe(404);
    expect(await photosIn(id)).toBe(0);
    await expect(ann.setNote(id, 'Again')).rejects.toMatchObject({ problem: { code: 'entry-hidden' } });
  });
});

describe('a photo', () => {
  const completed = async () => {
    const ann = walker();
    return { ann, id: await ann.complete(await created()) };
  };

  it('is re-encoded upright and small, without metadata, and is served with immutable caching to people who may see it', async () => {
    const { ann, id } = await completed();
    const file = await drawing(2_000, 1_000)
      .withExif({ IFD0: { Copyright: 'a secret place' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(file).metadata()).orientation).toBe(6);
    // Its type is detected from its content, not from the request.
    const entry = await ann.upload(id, file, 'image/png');
    const served = await ann.load(entry);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'authorization',
    });
    const { exif, orientation, ...metadata } = await sharp(await served.arrayBuffer()).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 640, height: 1_280 });
    expect([exif, orientation]).toEqual([undefined, undefined]);
    const stored = await service.read('photos');
    expect(stored.filter(({ data }) => Buffer.from(data.value()).includes('a secret place'))).toEqual([]);
  });

  it('is not enlarged', async () => {
    const { ann, id } = await completed();
    const served = await ann.load(await ann.upload(id, await png(100, 80)));
    expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ width: 100, height: 80 });
  });

  it('gets a new URL when it is replaced, and can be removed', async () => {
    const { ann, id } = await completed();
    const first = await ann.upload(id, await png());
    const second = await ann.upload(id, await png());
    expect((await ann.load(first)).status).toBe(404);
    expect((await ann.load(second)).status).toBe(200);
    expect(await ann.client.removePhoto({ params: { id } })).toMatchObject({ photo: null });
    expect((await ann.load(second)).status).toBe(404);
    expect(await photosIn(id)).toBe(0);
  });

  it('is the only one stored after concurrent uploads', async () => {
    const { ann, id } = await completed();
    const file = await png();
    await Promise.all(Array.from({ length: 6 }, () => ann.upload(id, file)));
    const entry = await ann.client.getLogEntry({ params: { id } });
    expect((await ann.load(entry)).status).toBe(200);
    expect(await photosIn(id)).toBe(1);
  });

  it('of an upload that a crash interrupted is served to nobody, and is deleted with the next upload', async () => {
    const { participation, photos } = interrupted;
    const ann = walker({ userId: participation.userId });
    await created({}, participation.challengeId);
    // The service knows a user once they have joined a challenge.
    await ann.join(await created());
    for (const photo of Object.values(photos))
      expect((await ann.load({ id: participation._id, photo })).status).toBe(404);
    const { photo } = await ann.upload(participation._id, await png());
    // A recent upload may still be in progress.
    const left = (await service.read('photos')).filter(
      ({ participationId }) => participationId === participation._id,
    );
    expect(left.map(({ _id }) => String(_id)).sort()).toEqual([photos.recent, String(photo)].sort());
  });

  it.each([
    ['too small', () => png(63, 200), 'image/png', 415],
    ['too long', () => png(6_001, 64), 'image/png', 415],
    ['of more than 16 megapixels', () => png(4_001, 4_000), 'image/png', 415],
    ['text that says it is a picture', async () => Buffer.from('<svg onload="alert(1)"/>'), 'image/png', 415],
    ['of a kind that is not accepted', () => drawing(100, 100).gif().toBuffer(), 'image/png', 415],
    ['half a picture', async () => (await png(300, 300)).subarray(0, 200), 'image/png', 415],
    ['nothing', async () => Buffer.alloc(0), 'image/png', 415],
    ['said to be another kind', () => png(), 'image/gif', 415],
    ['of more than 1 MiB', async () => Buffer.alloc(1024 * 1024 + 1), 'image/png', 413],
  ])('is rejected if it is %s, and the previous one remains', async (_what, draw, type, status) => {
    const { ann, id } = await completed();
    const before = await ann.upload(id, await png());
    await expect(ann.upload(id, await draw(), type)).rejects.toMatchObject({ status });
    expect((await ann.load(before)).status).toBe(200);
    expect(await photosIn(id)).toBe(1);
  });

  it('has an unguessable URL: a wrong name returns nothing', async () => {
    const { ann, id } = await completed();
    await ann.upload(id, await png());
    expect((await ann.load({ id, photo: '0'.repeat(32) })).status).toBe(404);
    expect((await ann.load({ id, photo: 'x' })).status).toBe(400);
  });
});

describe('the picture of a challenge (53, finding 17)', () => {
  const makerId = 800;
  const maker = () => walker({ userId: makerId });
  /** A challenge with a photo of each of some people, the newest last. */
  const pictured = async (count: number) => {
    const challengeId = await created({ creator: { id: makerId, username: 'maker' } });
    const photos: { by: Walker; id: number; photo: string }[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const by = walker();
      const id = await by.complete(challengeId);
      await clock.advance(minute);
      photos.push({ by, id, photo: String((await by.upload(id, await png())).photo) });
    }
    const [first, ...others] = photos;
    if (!first) throw new Error('a challenge needs a photo');
    return { challengeId, first, last: others.at(-1) ?? first };
  };
  /** The latest event about a challenge’s picture: the photo, and its version. */
  const published = async (challengeId: number) => {
    await service.settle();
    const last = service.published.findLast(
      (event) => event.name === 'challenge.picture-changed.v1' && event.data.challengeId === challengeId,
    );
    return last?.name === 'challenge.picture-changed.v1' ? last.data : undefined;
  };
  const shown = async (challengeId: number) => (await published(challengeId))?.picture?.photo ?? null;
  const load = (challengeId: number, photo: string, query = '') =>
    fetch(`${service.url}/api/challenges/${challengeId}/pictures/${photo}${query}`);

  it('is the newest photo of its log, which everybody can load, also as a thumbnail', async () => {
    const { challengeId, first, last } = await pictured(2);
    expect(await published(challengeId)).toEqual({
      challengeId,
      picture: { completionId: last.id, userId: last.by.userId, photo: last.photo },
      version: 2,
    });
    const card = await load(challengeId, last.photo, '?size=card');
    expect(Object.fromEntries(card.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=3600',
    });
    expect(await sharp(await card.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 400 });
    const full = await load(challengeId, last.photo);
    expect(await sharp(await full.arrayBuffer()).metadata()).toMatchObject({ width: 64, height: 64 });
    // Others of the log are for members.
    expect((await load(challengeId, first.photo)).status).toBe(404);
    expect((await load(challengeId + 1, last.photo)).status).toBe(404);
  });

  it('is a photo that version 0.2.0 stored, with a thumbnail since the first start', async () => {
    const { challengeId, photo } = former.participation;
    expect(await published(challengeId)).toMatchObject({ picture: { photo, userId: 901 }, version: 1 });
    const card = await load(challengeId, photo, '?size=card');
    expect(await sharp(await card.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 400 });
  });

  it('is the next newest when its photo is removed, hidden, deleted, private or of a deleted account', async () => {
    const remove: ((one: { by: Walker; id: number }) => Promise<unknown>)[] = [
      ({ by, id }) => by.client.removePhoto({ params: { id } }),
      ({ by, id }) => decided(id, by.userId, 'hidden', 2),
      ({ by, id }) => decided(id, by.userId, 'deleted', 2),
      ({ by }) => showTo(by, 'friends'),
      ({ by }) => deliver(newEvent('user.deleted.v1', { id: by.userId })),
      ({ id }) => walker({ admin: true }).client.leaveChallenge({ params: { id } }),
    ];
    for (const take of remove) {
      const { challengeId, first, last } = await pictured(2);
      expect(await shown(challengeId)).toBe(last.photo);
      await take(last);
      expect(await shown(challengeId)).toBe(first.photo);
      expect((await load(challengeId, last.photo)).status).toBe(404);
      await take(first);
      expect(await published(challengeId)).toMatchObject({ picture: null });
    }
  });

  it('returns when its photo is restored or for everybody again', async () => {
    const { challengeId, last } = await pictured(1);
    await decided(last.id, last.by.userId, 'hidden', 2);
    await decided(last.id, last.by.userId, 'live', 3);
    expect(await shown(challengeId)).toBe(last.photo);
    await showTo(last.by, 'me');
    expect(await shown(challengeId)).toBeNull();
    await showTo(last.by, 'everybody');
    expect(await shown(challengeId)).toBe(last.photo);
  });

  it('is never a photo of somebody whom its creator blocked, or who blocked its creator', async () => {
    const { challengeId, first, last } = await pictured(2);
    const block = { blockId: 71, userId: makerId, blockedId: last.by.userId };
    await deliver(newEvent('user.blocked.v1', { ...block, version: 1 }));
    expect(await shown(challengeId)).toBe(first.photo);
    const other = { blockId: 72, userId: first.by.userId, blockedId: makerId, version: 1 };
    await deliver(newEvent('user.blocked.v1', other));
    expect(await shown(challengeId)).toBeNull();
    await deliver(newEvent('user.unblocked.v1', { ...block, version: 2 }));
    expect(await shown(challengeId)).toBe(last.photo);
  });

  it('is chosen by its creator: a certain photo as long as everybody may see it, the drawing, or the newest', async () => {
    const { challengeId, first, last } = await pictured(2);
    const params = { id: challengeId };
    const { client } = maker();
    expect(await client.getChosenPicture({ params })).toMatchObject({
      choice: 'newest',
      picture: { photo: last.photo },
    });
    const choose = (choice: 'newest' | 'none' | number) => client.choosePicture({ params, body: { choice } });
    expect(await choose(first.id)).toMatchObject({ choice: first.id, picture: { photo: first.photo } });
    expect(await shown(challengeId)).toBe(first.photo);
    await showTo(first.by, 'me');
    expect(await shown(challengeId)).toBe(last.photo);
    await showTo(first.by, 'everybody');
    expect(await shown(challengeId)).toBe(first.photo);
    expect(await choose('none')).toEqual({ choice: 'none', picture: null });
    expect(await published(challengeId)).toMatchObject({ picture: null });
    expect((await load(challengeId, first.photo)).status).toBe(404);
    await choose('newest');
    expect(await shown(challengeId)).toBe(last.photo);
    // An unchanged choice publishes nothing.
    const { length } = service.published;
    await choose('newest');
    await service.settle();
    expect(service.published).toHaveLength(length);
  });

  it('cannot be chosen by others, nor from another challenge, nor what not everybody may see', async () => {
    const { challengeId, last } = await pictured(1);
    const elsewhere = await pictured(1);
    const params = { id: challengeId };
    const choose = (by: Walker, choice: number) => by.client.choosePicture({ params, body: { choice } });
    const rejected = (choice: number, code: string) =>
      expect(choose(maker(), choice)).rejects.toMatchObject({ problem: { code } });
    await expect(choose(last.by, last.id)).rejects.toMatchObject({ problem: { code: 'forbidden' } });
    await rejected(elsewhere.last.id, 'entry-not-found');
    await showTo(last.by, 'friends');
    await rejected(last.id, 'entry-not-found');
    await expect(choose(walker({ admin: true }), last.id)).rejects.toMatchObject({ status: 404 });
  });

  it('is not served while the challenge is hidden, and forgotten when it is deleted', async () => {
    const { challengeId, last } = await pictured(1);
    const hidden = challengeDetails(challengeId, { status: 'hidden' });
    await deliver(newEvent('challenge.updated.v1', { challenge: hidden, version: 2 }));
    expect((await load(challengeId, last.photo)).status).toBe(404);
    await deliver(newEvent('challenge.deleted.v1', { challengeId }));
    expect(await service.read('challenge_pictures')).not.toContainEqual(
      expect.objectContaining({ _id: challengeId }),
    );
  });

  it('is the last of concurrent uploads and removals', async () => {
    const { challengeId, first, last } = await pictured(2);
    const file = await png();
    await Promise.all([
      first.by.upload(first.id, file),
      last.by.client.removePhoto({ params: { id: last.id } }),
      first.by.upload(first.id, file),
    ]);
    const { photo } = await first.by.client.getLogEntry({ params: { id: first.id } });
    expect(await shown(challengeId)).toBe(photo);
  });

  it('is left out for readers who and its person have blocked each other', async () => {
    const { challengeId, last } = await pictured(1);
    const { picture } = (await published(challengeId)) ?? {};
    const challenge = challengeDetails(challengeId, { picture: picture ?? undefined });
    await deliver(newEvent('challenge.updated.v1', { challenge, version: 2 }));
    const [ann, bob] = [walker(), walker()];
    for (const each of [ann, bob]) await each.join(challengeId);
    const block = { blockId: 73, userId: last.by.userId, blockedId: bob.userId, version: 1 };
    await deliver(newEvent('user.blocked.v1', block));
    expect((await ann.client.listParticipations())[0]?.challenge.picture).toEqual(picture);
    expect((await bob.client.listParticipations())[0]?.challenge.picture).toBeUndefined();
  });
});

describe('thanks for a completion (53)', () => {
  const thanksOf = async (by: Walker, id: number) => (await by.client.getLogEntry({ params: { id } })).thanks;
  const thanked = async () => {
    await service.settle();
    return service.published.flatMap(({ name, data }) => (name === 'completion.thanked.v1' ? [data] : []));
  };
  const completed = async () => {
    const challengeId = await created();
    const ann = walker();
    return { challengeId, ann, id: await ann.complete(challengeId) };
  };

  it('count once for each person, with one event for each, and can be withdrawn', async () => {
    const { challengeId, ann, id } = await completed();
    const [bob, cleo] = [walker(), walker()];
    const params = { id };
    const before = (await thanked()).length;
    await Promise.all([1, 2, 3].map(() => bob.client.thank({ params })));
    expect(await cleo.client.thank({ params })).toMatchObject({ id, thanks: { count: 2, mine: true } });
    expect(await bob.log(challengeId)).toMatchObject([{ thanks: { count: 2, mine: true } }]);
    expect(await thanksOf(ann, id)).toEqual({ count: 2, mine: false });
    const event = { participationId: id, challengeId, ownerId: ann.userId };
    expect((await thanked()).slice(before)).toEqual(
      expect.arrayContaining([bob, cleo].map(({ userId }) => ({ ...event, userId }))),
    );
    expect(await thanked()).toHaveLength(before + 2);
    for (let times = 0; times < 2; times += 1)
      expect(await bob.client.withdrawThanks({ params })).toMatchObject({
        thanks: { count: 1, mine: false },
      });
    expect(await thanked()).toHaveLength(before + 2);
  });

  it('are only accepted from others who may see the completion', async () => {
    const { ann, id } = await completed();
    const params = { id };
    const [bob, blocked] = [walker(), walker()];
    await expect(ann.client.thank({ params })).rejects.toMatchObject({ problem: { code: 'own-entry' } });
    const block = { blockId: 81, userId: ann.userId, blockedId: blocked.userId, version: 1 };
    await deliver(newEvent('user.blocked.v1', block));
    const rejection = { problem: { code: 'entry-not-found' } };
    await expect(blocked.client.thank({ params })).rejects.toMatchObject(rejection);
    await showTo(ann, 'friends');
    await expect(bob.client.thank({ params })).rejects.toMatchObject(rejection);
    await expect(service.client().thank({ params })).rejects.toMatchObject({ status: 401 });
    await expect(bob.client.thank({ params: { id: 987_654 } })).rejects.toMatchObject(rejection);
  });

  it('are gone after a block, and with the account of either', async () => {
    const { ann, id } = await completed();
    const [bob, cleo] = [walker(), walker()];
    for (const { client } of [bob, cleo]) await client.thank({ params: { id } });
    const block = { blockId: 82, userId: bob.userId, blockedId: ann.userId, version: 1 };
    await deliver(newEvent('user.blocked.v1', block));
    expect(await thanksOf(ann, id)).toMatchObject({ count: 1 });
    // The second kind of data.
    const { records } = await cleo.client.listOwnParticipationData({ query: { cursor: '1' } });
    expect(records).toContainEqual({
      kind: 'thanks',
      data: expect.objectContaining({ participationId: id }),
    });
    await deliver(newEvent('user.deleted.v1', { id: cleo.userId }));
    expect(await thanksOf(ann, id)).toMatchObject({ count: 0 });
    const dan = walker();
    await dan.client.thank({ params: { id } });
    await deliver(newEvent('user.deleted.v1', { id: ann.userId }));
    expect((await service.read('thanks')).filter(({ participationId }) => participationId === id)).toEqual(
      [],
    );
  });
});

describe('the latest completions of friends (53)', () => {
  const befriend = (requestId: number, one: Walker, other: Walker) =>
    deliver(newEvent('friend.accepted.v1', { requestId, userIds: [one.userId, other.userId] }));
  const friendsOf = (by: Walker) => by.client.listFriendsLog({ query: {} });

  it('are those of people who show them to friends, newest first, with photo and challenge', async () => {
    const [ann, friend, shy, stranger] = [walker(), walker(), walker(), walker()];
    expect(await friendsOf(ann)).toEqual({ hasFriends: false, entries: [] });
    await befriend(91, ann, friend);
    await befriend(92, ann, shy);
    const challengeIds = [await created(), await created()];
    for (const challengeId of challengeIds) {
      for (const each of [friend, shy, stranger]) await each.complete(challengeId);
      await clock.advance(minute);
    }
    await showTo(friend, 'friends');
    await showTo(shy, 'me');
    const own = (await friend.client.listParticipations()).find(
      ({ challengeId }) => challengeId === challengeIds[1],
    );
    const { photo } = await friend.upload(own?.id ?? 0, await png());
    const { hasFriends, entries } = await friendsOf(ann);
    expect(hasFriends).toBe(true);
    expect(entries).toMatchObject([
      {
        ...{ photo, user: { id: friend.userId }, thanks: { count: 0, mine: false } },
        challenge: { id: challengeIds[1], name: `Challenge ${challengeIds[1]}` },
      },
      { photo: null, user: { id: friend.userId }, challengeId: challengeIds[0] },
    ]);
    const small = await fetch(`${service.url}/api/completions/${own?.id}/photos/${photo}?size=card`, {
      headers: { authorization: ann.token },
    });
    expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 640, height: 400 });
  });

  it('need as many store commands for many friends as for one', async () => {
    const ann = walker();
    const costOf = async () => {
      await service.settle();
      service.commands.length = 0;
      const { entries } = await friendsOf(ann);
      return [entries.length, service.commands.length];
    };
    const add = async (requestId: number) => {
      const friend = walker();
      await befriend(requestId, ann, friend);
      await friend.complete(await created());
    };
    await add(93);
    await friendsOf(ann);
    const [, commands] = await costOf();
    for (let nth = 0; nth < 10; nth += 1) await add(94 + nth);
    expect(await costOf()).toEqual([6, commands]);
  });
});
