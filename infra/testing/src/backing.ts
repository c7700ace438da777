import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BackingKind, BackingService } from './backing/backing-service.ts';
import type { BackingRequest, BackingResponse } from './jest/backing-server.ts';

async function send(request: BackingRequest): Promise<BackingResponse> {
  const url = process.env.WAYQUEST_TEST_BACKING_URL;
  if (!url) throw new Error('run the tests with `npx jest`, which starts the backing services');
  // Not by fetch, whose maximum timeout is five minutes: images may have to be built first.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { method: 'POST' }, resolve).once('error', reject).end(JSON.stringify(request));
  });
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${request.kind} could not be started: ${body}`);
  return JSON.parse(body);
}

/** Returns the address of a backing service, which is started if necessary; undefined if this machine has none. */
export const findBackingAddress = async (kind: BackingKind): Promise<string | undefined> =>
  (await send({ action: 'get', kind, worker: process.env.JEST_WORKER_ID })).address;

/** Returns the address of a backing service that the whole run shares; throws if this machine has none. */
export async function useShared(kind: BackingKind): Promise<string> {
  const address = await findBackingAddress(kind);
  if (address === undefined) throw new Error(`this machine has no ${kind}`);
  return address;
}

declare global {
  /** Functions that the runner calls after this test file. */
  var wayquestCleanups: (() => Promise<unknown>)[] | undefined;
  /** Functions that the runner calls after the running test. */
  var wayquestTestCleanups: (() => unknown)[] | undefined;
}

/** Calls a function after the running test and its `afterEach`, whatever its result; the last one first. */
export function afterTest(clean: () => unknown): void {
  globalThis.wayquestTestCleanups ??= [];
  globalThis.wayquestTestCleanups.push(clean);
}

/**
 * Calls a function after this test file, whatever its tests did. For helpers: a hook that one registers while it is
 * loaded would only run for the first file that imports it.
 */
export function afterFile(clean: () => Promise<unknown>): void {
  globalThis.wayquestCleanups ??= [];
  globalThis.wayquestCleanups.push(clean);
}

/** Calls the functions that were registered with `afterFile`. For what runs test files. */
export async function cleanUpAfterFile(): Promise<void> {
  await Promise.all((globalThis.wayquestCleanups ?? []).map((clean) => clean()));
  globalThis.wayquestCleanups = undefined;
}

const servicesOfThisProcess = new Map<BackingKind, Promise<BackingService>>();
let users = 0;

async function startInThisProcess(kind: BackingKind): Promise<BackingService> {
  // Imported only when needed: in a test run, the main process starts services.
  const { findBackingService, startBackingService } = await import('./backing/backing-services.ts');
  const reasons: string[] = [];
  const service = await startBackingService(kind, await findBackingService(kind), (reason) =>
    reasons.push(reason),
  );
  if (!service)
    throw new Error(`this machine has no ${kind}${reasons.map((reason) => `\n  ${reason}`).join('')}`);
  return service;
}

/**
 * Borrows backing services: those of the test run, or, in another kind of run, services of this process, which stop
 * when all borrowers have released them.
 */
export function acquireShared() {
  if (process.env.WAYQUEST_TEST_BACKING_URL) return { need: useShared, release: async () => {} };
  users += 1;
  return {
    async need(kind: BackingKind): Promise<string> {
      const starting = servicesOfThisProcess.get(kind) ?? startInThisProcess(kind);
      servicesOfThisProcess.set(kind, starting);
      return (await starting).address;
    },
    async release(): Promise<void> {
      users -= 1;
      if (users > 0) return;
      const started = await Promise.allSettled(servicesOfThisProcess.values());
      servicesOfThisProcess.clear();
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()));
    },
  };
}

/** Starts a backing service for this test file only, which may shut it down, kill or pause it. */
export async function startDedicated(kind: BackingKind) {
  const { address } = await send({ action: 'own', kind });
  if (address === undefined) throw new Error(`this machine has no ${kind}`);
  afterFile(() => send({ action: 'end', kind, address }));
  return {
    address,
    shutDown: () => send({ action: 'away', kind, address }),
    kill: () => send({ action: 'kill', kind, address }),
    restart: () => send({ action: 'back', kind, address }),
    control: (...command: string[]) => send({ action: 'control', kind, address, command }),
    pause: () => send({ action: 'pause', kind, address }),
    resume: () => send({ action: 'resume', kind, address }),
  };
}

/**
 * Declares suites that need backing services: `(await describeWith('rabbitmq'))('the bus', () => …)`. They are skipped,
 * and counted as skipped, if this machine lacks one of them.
 */
export async function describeWith(...kinds: BackingKind[]): Promise<typeof describe | typeof describe.skip> {
  const addresses = await Promise.all(kinds.map(findBackingAddress));
  return addresses.includes(undefined) ? describe.skip : describe;
}
