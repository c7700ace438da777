import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type Event, type TokenClaims } from '@wayquest/contracts';
import { mailDirectoryIn } from '@wayquest/platform/mail';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  eventually,
  mailsIn,
  patientTimeouts,
  startInProcessBus,
  storeUrl,
  testKeys,
} from '@wayquest/testing';
import mongoose, { type Connection } from 'mongoose';
import { type AuthDeps, createAuthService } from '../src/index.ts';

export const keys = testKeys();

export interface RunningAuth {
  url: string;
  databasePrefix: string;
  client: Client;
  /** What the other services heard on the bus. */
  events: Event[];
  /** Says something as another service would. */
  tell(event: Event): Promise<void>;
  /** Resolves when every event that was written has been consumed. */
  settle(withinMs?: number): Promise<void>;
  /** Looks into the service's own database. */
  store: Connection;
  /** What was written to an address, the newest last. */
  mailsTo: ReturnType<typeof mailsIn>;
  stop(): Promise<void>;
}

/** A real auth service in a database of its own, with the users service's ear on the bus. */
export async function startAuth({
  keepData = false,
  busStuck = false,
  ...options
}: Partial<AuthDeps> & { keepData?: boolean; busStuck?: boolean } = {}): Promise<RunningAuth> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const bus = startInProcessBus(logger, ['auth', 'users']);
  const events: Event[] = [];
  const hear = async (event: Event) => {
    events.push(event);
  };
  const databasePrefix = options.databasePrefix ?? `test_${randomUUID().slice(0, 8)}`;
  const dataDirectory = join(tmpdir(), databasePrefix);
  const mail = { from: 'wayquest@localhost', directory: mailDirectoryIn(dataDirectory) };
  const mongoUrl = options.mongoUrl ?? storeUrl();
  const service = createAuthService({
    logger,
    bus,
    privateKey: keys.privateKey,
    publicKey: keys.publicKey,
    port: 0,
    mail,
    timeouts: patientTimeouts,
    deletionGraceDays: 14,
    ...options,
    mongoUrl,
    databasePrefix,
  });
  await service.start();
  // The bus keeps every event back until all who want it are there.
  if (!busStuck)
    await bus.subscribe('users', {
      'user.registered.v1': hear,
      'user.account-changed.v1': hear,
      'user.deleted.v1': hear,
      'token.revoked.v1': hear,
    });
  const store = await mongoose.createConnection(mongoUrl, { dbName: `${databasePrefix}_auth` }).asPromise();
  return {
    url: service.url(),
    databasePrefix,
    client: createClient({ baseUrl: service.url() }),
    events,
    tell: (event) => bus.publish(event),
    store,
    mailsTo: mailsIn(mail.directory),
    settle: async (withinMs = 30_000) => {
      await eventually(async () => (await service.settled()) && (await bus.idle()), { withinMs });
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

const forOneTest: RunningAuth[] = [];
afterEach(async () => {
  await Promise.all(forOneTest.splice(0).map((auth) => auth.stop()));
});

/** As `startAuth`; stopped after the test, also when that fails. */
export async function startAuthForTest(...options: Parameters<typeof startAuth>): Promise<RunningAuth> {
  const auth = await startAuth(...options);
  forOneTest.push(auth);
  return auth;
}

export const newName = (): string => `p${randomUUID().slice(0, 12)}`;
export const password = 'a long enough password';

/** The claims of a token, unverified. */
export const claimsOf = (token: string): TokenClaims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

export const bodyOf = (value: unknown, address?: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(address && { 'x-forwarded-for': address }) },
  body: JSON.stringify(value),
});

/** Somebody who has just signed up. */
export async function member(auth: RunningAuth) {
  const username = newName();
  const { token } = await auth.client.signup({ body: { username, password } });
  return { username, token, id: Number(claimsOf(token).sub) };
}

/** Whether a new login makes them an admin. */
export const isAdmin = async (auth: RunningAuth, username: string) =>
  claimsOf((await auth.client.login({ body: { username, password } })).token).admin;
