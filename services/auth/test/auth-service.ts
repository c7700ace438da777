import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallError, type Client, createClient, type Event, type TokenClaims } from '@wayquest/contracts';
import { mailDirectoryIn } from '@wayquest/platform/mail';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  afterTest,
  eventually,
  mailsIn,
  namedUrl,
  startInProcessBus,
  storeUrl,
  testKeys,
  testPasswordLimits,
  testServiceDeps,
} from '@wayquest/testing';
import mongoose, { type Connection } from 'mongoose';
import { type AuthDeps, createAuthService } from '../src/index.ts';

export const keys = testKeys();

export interface RunningAuth {
  url: string;
  databasePrefix: string;
  client: Client;
  /** Events that other services received, oldest first. */
  events: Event[];
  /** Publishes an event on behalf of another service. */
  publish(event: Event): Promise<void>;
  /** Waits until no event is pending. */
  settle(withinMs?: number): Promise<void>;
  /** Connection to the service's database. */
  store: Connection;
  /** Reads the emails to an address, the newest last. */
  mailsTo: ReturnType<typeof mailsIn>;
  stop(): Promise<void>;
}

/**
 * Starts the auth service with its own database and a bus that records its events.
 *
 * @param options - Options of the service; `keepData`: keeps the database when it stops; `busStuck`: no event is consumed.
 */
export async function startAuth({
  keepData = false,
  busStuck = false,
  ...options
}: Partial<AuthDeps> & { keepData?: boolean; busStuck?: boolean } = {}): Promise<RunningAuth> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const bus = startInProcessBus(logger, ['auth', 'users']);
  const events: Event[] = [];
  const record = async (event: Event) => {
    events.push(event);
  };
  const databasePrefix = options.databasePrefix ?? `test_${randomUUID().slice(0, 8)}`;
  const dataDirectory = join(tmpdir(), databasePrefix);
  const mail = { from: 'wayquest@localhost', directory: mailDirectoryIn(dataDirectory) };
  const mongoUrl = options.mongoUrl ?? storeUrl();
  const service = createAuthService({
    ...testServiceDeps({ logger, bus, databasePrefix }),
    privateKey: keys.privateKey,
    mail,
    deletionGraceDays: 14,
    ...options,
    passwordLimits: { ...testPasswordLimits, ...options.passwordLimits },
    mongoUrl,
    databasePrefix,
  });
  await service.start();
  // The bus delivers an event once all its subscribers are connected.
  if (!busStuck)
    await bus.subscribe('users', {
      'user.registered.v1': record,
      'user.account-changed.v1': record,
      'user.deleted.v1': record,
      'token.revoked.v1': record,
    });
  const store = await mongoose.createConnection(mongoUrl, { dbName: `${databasePrefix}_auth` }).asPromise();
  const url = namedUrl(service.url());
  return {
    url,
    databasePrefix,
    client: createClient({ baseUrl: url }),
    events,
    publish: (event) => bus.publish(event),
    store,
    mailsTo: mailsIn(mail.directory),
    settle: async (withinMs = 30_000) => {
      await eventually(async () => (await service.isIdle()) && (await bus.idle()), { withinMs });
    },
    async stop() {
      await service.stop();
      await bus.close();
      if (!keepData) await store.dropDatabase();
      await store.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Starts the auth service as `startAuth` does, and stops it after the test. */
export async function startAuthForTest(...options: Parameters<typeof startAuth>): Promise<RunningAuth> {
  const auth = await startAuth(...options);
  afterTest(() => auth.stop());
  return auth;
}

/** Returns a unique username. */
export const newName = (): string => `p${randomUUID().slice(0, 12)}`;
export const password = 'a long enough password';

/** Returns the claims of a token without verifying it. */
export const claimsOf = (token: string): TokenClaims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Returns a POST request with a JSON body, from a client address if one is given. */
export const bodyOf = (value: unknown, address?: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(address && { 'x-forwarded-for': address }) },
  body: JSON.stringify(value),
});

/** Signs up a new user. */
export async function member(auth: RunningAuth) {
  const username = newName();
  const { token } = await auth.client.signup({ body: { username, password } });
  return { username, token, id: Number(claimsOf(token).sub) };
}

/** Whether a user gets admin rights with their next login. */
export const isAdmin = async (auth: RunningAuth, username: string) =>
  claimsOf((await auth.client.login({ body: { username, password } })).token).admin;

/** Waits until an address has got so many mails in all; returns the newest. */
export const newestMail = ({ mailsTo }: Pick<RunningAuth, 'mailsTo'>, email: string, count = 1) =>
  eventually(async () => {
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(count);
    const newest = mails.at(-1);
    if (!newest) throw new Error('no mail');
    return newest;
  });

/** Confirms an address of somebody who had none. Their password is only needed in an old session. */
export async function confirmAddress(
  auth: Pick<RunningAuth, 'client' | 'mailsTo'>,
  { token }: { token: string },
  email: string,
): Promise<void> {
  await auth.client.changeEmail({ body: { email } }, { token });
  const link = await newestMail(auth, email);
  await auth.client.confirmEmail({ body: { token: link.token ?? '' } });
}

/** The problem of a call, or `done`. */
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof CallError ? error.problem?.code : error),
  );

/** A browser that stores cookies by name and sends all of them. */
export function openCookieBrowser({ url }: Pick<RunningAuth, 'url'>) {
  const cookies = new Map<string, string>();
  const storeCookies = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
  const client = createClient({
    baseUrl: url,
    headers,
    fetch: async (...args) => storeCookies(await fetch(...args)),
  });
  /** Requests a URL; returns where it redirects. */
  const go = async (address: string) => {
    const response = storeCookies(await fetch(address, { redirect: 'manual', headers: headers() }));
    return response.headers.get('location') ?? '';
  };
  return { cookies, client, go };
}
