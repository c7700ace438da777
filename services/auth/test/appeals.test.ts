import { randomUUID } from 'node:crypto';
import { CallError, createClient } from '@wayquest/contracts';
import { createAuthenticator, type FakeGoogle, newEvent, startFakeGoogle } from '@wayquest/testing';
import { claimsOf, member, password, type RunningAuth, startAuth, startAuthForTest } from './auth-service.ts';

let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ google: google.config });
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof CallError ? error.problem?.code : error),
  );
const words = 'It was my brother';

/** A browser: it keeps its cookies, each for its path. */
function browser(at = auth) {
  const kept = new Map<string, { value: string; path: string; said: string }>();
  const send: typeof fetch = async (address, init) => {
    const { pathname } = new URL(String(address));
    const cookies = [...kept].filter(([, { path }]) => pathname.startsWith(path));
    const headers = new Headers(init?.headers);
    headers.set('cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const answer = await fetch(address, { ...init, headers });
    for (const said of answer.headers.getSetCookie()) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*).*; Path=([^;]*)/.exec(said) ?? [];
      kept.set(name, { value, path, said });
    }
    return answer;
  };
  const client = createClient({ baseUrl: at.url, fetch: send });
  const go = async (address: string) =>
    (await send(address, { redirect: 'manual' })).headers.get('location') ?? '';
  return {
    client,
    kept,
    appeal: () => codeOf(client.appealSuspension({ body: { words } })),
    /** As somebody whom Google knows. */
    async logIn(person: FakeGoogle['person']) {
      google.person = person;
      const back = await go(await go(await go(`${at.url}/api/googleOauth`)));
      const code = new URLSearchParams(back.split('#')[1]).get('code') ?? '';
      return client.exchangeLoginCode({ body: { code } });
    },
  };
}
type Browser = ReturnType<typeof browser>;
/** Somebody with a way in, which may be the only one. */
interface Person {
  id: number;
  logIn(from: Browser): Promise<{ token: string }>;
}

async function byGoogle(): Promise<Person> {
  const person = { sub: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' };
  const logIn = (from: Browser) => from.logIn(person);
  return { id: Number(claimsOf((await logIn(browser())).token).sub), logIn };
}

async function byPasskey(at = auth, origin = at.url): Promise<Person> {
  const { id, token } = await member(at);
  const device = createAuthenticator();
  const { client } = browser(at);
  const { challenge, user } = await client.startPasskey({ body: { currentPassword: password } }, { token });
  const credential = device.create({ origin, challenge, user });
  await client.addPasskey({ body: { name: 'My key', credential } }, { token });
  return {
    id,
    async logIn(from) {
      const asked = await from.client.startPasskeyLogin();
      const shown = device.get({ origin, challenge: asked.challenge });
      return from.client.loginWithPasskey({ body: { credential: shown } });
    },
  };
}

let decisions = 0;
async function decide({ id }: Pick<Person, 'id'>, decision: 'suspend' | 'restore', at = auth) {
  const until = decision === 'suspend' ? new Date(Date.now() + 86_400_000).toISOString() : null;
  await at.tell(
    newEvent('moderation.decided.v1', {
      ...{ caseId: `user-${id}`, kind: 'user', subjectId: id, title: '', concernedId: id },
      ...{ version: ++decisions, decision, byReports: false, state: 'live', suspendedUntil: until },
    }),
  );
  await at.settle();
}
const proofOf = ({ kept }: Browser) => kept.get('wayquest-appeal')?.said ?? '';

describe.each([
  ['Google', byGoogle],
  ['a passkey', () => byPasskey()],
])('a suspended user who logs in with %s', (_, someone) => {
  it('can appeal once without a password, in the browser that authenticated them', async () => {
    const person = await someone();
    const own = browser();
    await person.logIn(own);
    expect(proofOf(own)).toBe('');
    await decide(person, 'suspend');
    expect(await codeOf(person.logIn(own))).toBe('suspended');
    expect(proofOf(own)).toMatch(
      /^wayquest-appeal=.+; Max-Age=(600|599); Path=\/auth\/appeal; .*HttpOnly; SameSite=Lax$/,
    );
    expect(await browser().appeal()).toBe('invalid-code');

    const proof = own.kept.get('wayquest-appeal');
    // As a form of another page would send it, which asks nobody before.
    const form = await fetch(`${auth.url}/auth/appeal`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', cookie: `wayquest-appeal=${proof?.value}` },
      body: JSON.stringify({ words }),
    });
    expect(form.status).toBe(400);
    expect(await own.appeal()).toBe('done');
    expect(await own.appeal()).toBe('invalid-code');
    if (proof) own.kept.set('wayquest-appeal', proof);
    expect(await own.appeal()).toBe('invalid-code');

    // Another proof, the same suspension.
    expect(await codeOf(person.logIn(own))).toBe('suspended');
    expect(await own.appeal()).toBe('nothing-to-appeal');
  });

  it('can appeal by only one of several concurrent calls', async () => {
    const person = await someone();
    await decide(person, 'suspend');
    const own = browser();
    await codeOf(person.logIn(own));
    const ends = await Promise.all([own.appeal(), own.appeal(), own.appeal()]);
    expect(ends.toSorted()).toEqual(['done', 'invalid-code', 'invalid-code']);
  });

  it('can appeal for ten minutes, and not after the suspension was lifted', async () => {
    const person = await someone();
    await decide(person, 'suspend');
    const own = browser();
    await codeOf(person.logIn(own));
    const codes = auth.store.collection<{ accountId: number; expiresAt: Date }>('login_codes');
    const kept = await codes.findOne({ accountId: person.id });
    const lasts = Number(kept?.expiresAt) - Date.now();
    expect(lasts).toBeGreaterThan(590_000);
    expect(lasts).toBeLessThanOrEqual(600_000);
    await codes.updateOne({ accountId: person.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await own.appeal()).toBe('invalid-code');

    await codeOf(person.logIn(own));
    await decide(person, 'restore');
    expect(await own.appeal()).toBe('nothing-to-appeal');
  });

  it('cannot use the proof for anything but the appeal', async () => {
    const person = await someone();
    await decide(person, 'suspend');
    const own = browser();
    await codeOf(person.logIn(own));
    const proof = own.kept.get('wayquest-appeal')?.value ?? '';
    const content = JSON.parse(Buffer.from(proof.split('.')[0] ?? '', 'base64url').toString());
    expect(Object.keys(content).toSorted()).toEqual(['code', 'expiresAt']);
    await decide(person, 'restore');
    for (const name of ['wayquest-code', 'wayquest-passkey', 'wayquest-google', 'wayquest-link']) {
      const headers = { 'content-type': 'application/json', cookie: `${name}=${proof}` };
      const swapped = await fetch(`${auth.url}/auth/code`, {
        ...{ method: 'POST', headers, body: JSON.stringify({ code: content.code }) },
      });
      expect(await swapped.json()).toMatchObject({ code: 'invalid-code' });
    }
    for (const token of [proof, content.code])
      expect(await codeOf(auth.client.getAccount({}, { token }))).toBe('invalid-token');
  });
});

it('nobody can appeal with only a password, or without any proof', async () => {
  const { id, username } = await member(auth);
  await decide({ id }, 'suspend');
  const appeal = (who: { username?: string; password?: string }) =>
    codeOf(auth.client.appealSuspension({ body: { ...who, words } }));
  expect(await appeal({})).toBe('invalid-code');
  expect(await appeal({ password })).toBe('invalid-code');
  expect(await appeal({ username })).toBe('invalid-credentials');
  expect(await appeal({ username, password })).toBe('done');
});

it('the proof’s cookie is Secure if Wayquest is served by https', async () => {
  const publicUrl = 'https://wayquest.example';
  const set = await startAuthForTest({ publicUrl });
  const person = await byPasskey(set, publicUrl);
  await decide(person, 'suspend', set);
  const own = browser(set);
  expect(await codeOf(person.logIn(own))).toBe('suspended');
  expect(proofOf(own)).toMatch(/; Secure/);
});
