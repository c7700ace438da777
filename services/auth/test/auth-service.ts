import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type Client, createClient, type Event, type TokenClaims } from '@wayquest/contracts';
import { createInProcessBus, createLogger } from '@wayquest/platform';
import { type AuthDeps, createAuthService } from '../src/index.ts';

export const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const mongoUrl = (): string => {
  const url = process.env.MONGO_URL;
  if (!url) throw new Error('these tests need MONGO_URL');
  return url;
};

export interface RunningAuth {
  url: string;
  databasePrefix: string;
  client: Client;
  /** What the other services heard on the bus. */
  events: Event[];
  /** Resolves when every event that was written has been heard. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** A real auth service in a database of its own, with the users service's ear on the bus. */
export async function startAuth(options: Partial<AuthDeps> = {}): Promise<RunningAuth> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const bus = createInProcessBus({ logger, services: ['auth', 'users'] });
  const events: Event[] = [];
  const hear = async (event: Event) => {
    events.push(event);
  };
  const databasePrefix = `t${randomUUID().slice(0, 8)}`;
  const service = createAuthService({
    logger,
    bus,
    mongoUrl: mongoUrl(),
    databasePrefix,
    privateKey: keys.privateKey,
    publicKey: keys.publicKey,
    port: 0,
    ...options,
  });
  await service.start();
  await bus.subscribe('users', {
    'user.registered.v1': hear,
    'user.account-changed.v1': hear,
    'token.revoked.v1': hear,
  });
  return {
    url: service.url(),
    databasePrefix,
    client: createClient({ baseUrl: service.url() }),
    events,
    settle: () => until(async () => (await service.settled()) && (await bus.idle())),
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** Waits until something holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
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
