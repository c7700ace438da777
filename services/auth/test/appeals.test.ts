import { randomUUID } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import {
  createAuthenticator,
  createTestClock,
  type FakeGoogle,
  newDecision,
  startFakeGoogle,
} from '@wayquest/testing';
import { call, limits, minute } from './attempts.ts';
import {
  claimsOf,
  codeOf,
  member,
  newName,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const clock = createTestClock(Date.now());
let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ google: google.config, clock });
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

const appealText = 'It was my brother';

/** A browser that stores cookies and sends each for its path. */
function browser(at = auth) {
  const cookies = new Map<string, { value: string; path: string; header: string }>();
  const send: typeof fetch = async (address, init) => {
    const { pathname } = new URL(String(address));
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
    const headers = new Headers(init?.headers);
    headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const response = await fetch(address, { ...init, headers });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*).*; Path=([^;]*)/.exec(header) ?? [];
      cookies.set(name, { value, path, header });
    }
    return response;
  };
  const client = createClient({ baseUrl: at.url, fetch: send });
  const go = async (address: string) =>
    (await send(address, { redirect: 'manual' })).headers.get('location') ?? '';
  return {
    client,
    cookies,
    appeal: () => codeOf(client.appealSuspension({ body: { comment: appealText } })),
    /** Logs in with a Google account. */
    async logIn(person: FakeGoogle['person']) {
      google.person = person;
      const back = await go(await go(await go(`${at.url}/api/googleOauth`)));
      const code = new URLSearchParams(back.split('#')[1]).get('code') ?? '';
      return client.exchangeLoginCode({ body: { code } });
    },
  };
}
type Browser = ReturnType<typeof browser>;
/** A user and their login method. */
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
      const request = await from.client.startPasskeyLogin();
      const credential = device.get({ origin, challenge: request.challenge });
      return from.client.loginWithPasskey({ body: { credential } });
    },
  };
}

let decisions = 0;
async function decide({ id }: Pick<Person, 'id'>, decision: 'suspend' | 'restore', at = auth) {
  const suspendedUntil = decision === 'suspend' ? new Date(Date.now() + 86_400_000).toISOString() : null;
  const about = { kind: 'user', subjectId: id, affectedUserId: id } as const;
  await at.publish(newDecision({ ...about, version: ++decisions, decision, suspendedUntil }));
  await at.settle();
}
const proofOf = ({ cookies }: Browser) => cookies.get('wayquest-appeal')?.header ?? '';

describe.each([
  ['Google', byGoogle],
  ['a passkey', () => byPasskey()],
])('a suspended user who logs in with %s', (_, createPerson) => {
  it('can appeal once without a password, in the browser that authenticated them', async () => {
    const person = await createPerson();
    const tab = browser();
    await person.logIn(tab);
    expect(proofOf(tab)).toBe('');
    await decide(person, 'suspend');
    expect(await codeOf(person.logIn(tab))).toBe('suspended');
    expect(proofOf(tab)).toMatch(
      /^wayquest-appeal=.+; Max-Age=600; Path=\/auth\/appeal; .*HttpOnly; SameSite=Lax$/,
    );
    expect(await browser().appeal()).toBe('invalid-code');

    const proof = tab.cookies.get('wayquest-appeal');
    // As a form on another site could send it without a preflight request.
    const form = await fetch(`${auth.url}/auth/appeal`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', cookie: `wayquest-appeal=${proof?.value}` },
      body: JSON.stringify({ comment: appealText }),
    });
    expect(form.status).toBe(400);
    expect(await tab.appeal()).toBe('done');
    expect(await tab.appeal()).toBe('invalid-code');
    if (proof) tab.cookies.set('wayquest-appeal', proof);
    expect(await tab.appeal()).toBe('invalid-code');

    // A second proof for the same suspension.
    expect(await codeOf(person.logIn(tab))).toBe('suspended');
    expect(await tab.appeal()).toBe('nothing-to-appeal');
  });

  it('can appeal with only one of several concurrent calls', async () => {
    const person = await createPerson();
    await decide(person, 'suspend');
    const tab = browser();
    await codeOf(person.logIn(tab));
    const results = await Promise.all([tab.appeal(), tab.appeal(), tab.appeal()]);
    expect(results.toSorted()).toEqual(['done', 'invalid-code', 'invalid-code']);
  });

  it('can appeal for ten minutes, and not after the suspension was lifted', async () => {
    const person = await createPerson();
    await decide(person, 'suspend');
    const [timely, late, tab] = [browser(), browser(), browser()];
    for (const each of [timely, late]) await codeOf(person.logIn(each));
    await clock.advance(599_999);
    expect(await timely.appeal()).toBe('done');
    await clock.advance(1);
    expect(await late.appeal()).toBe('invalid-code');

    await codeOf(person.logIn(tab));
    await decide(person, 'restore');
    expect(await tab.appeal()).toBe('nothing-to-appeal');
  });

  it('cannot use the proof for anything but the appeal', async () => {
    const person = await createPerson();
    await decide(person, 'suspend');
    const tab = browser();
    await codeOf(person.logIn(tab));
    const proof = tab.cookies.get('wayquest-appeal')?.value ?? '';
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

it('an appeal with only a password, or without a proof, is rejected', async () => {
  const { id, username } = await member(auth);
  await decide({ id }, 'suspend');
  const appeal = (who: { username?: string; password?: string }) =>
    codeOf(auth.client.appealSuspension({ body: { ...who, comment: appealText } }));
  expect(await appeal({})).toBe('invalid-code');
  expect(await appeal({ password })).toBe('invalid-code');
  expect(await appeal({ username })).toBe('invalid-credentials');
  expect(await appeal({ username, password })).toBe('done');
});

it('appeals with wrong passwords are limited by address, for all accounts together', async () => {
  const limited = await startAuthForTest(limits({ address: minute(2) }));
  const appeal = async (address: string) => {
    const body = { username: newName(), password: 'wrong', comment: appealText };
    return (await call(limited, '/auth/appeal', body, address)).status;
  };
  const [one, other] = ['192.0.2.1', '192.0.2.2'];
  expect([await appeal(one), await appeal(one), await appeal(one)]).toEqual([401, 401, 429]);
  expect(await appeal(other)).toBe(401);
});

it('the proof’s cookie is Secure if Wayquest is served by https', async () => {
  const publicUrl = 'https://wayquest.example';
  const set = await startAuthForTest({ publicUrl });
  const person = await byPasskey(set, publicUrl);
  await decide(person, 'suspend', set);
  const tab = browser(set);
  expect(await codeOf(person.logIn(tab))).toBe('suspended');
  expect(proofOf(tab)).toMatch(/; Secure/);
});
