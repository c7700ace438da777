import { request as call, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BackingKind, BackingService } from './backing/backing-service.ts';
import type { BackingAnswer, BackingRequest } from './vitest/backing-server.ts';

async function ask(request: BackingRequest): Promise<BackingAnswer> {
  const url = process.env.WAYQUEST_TEST_BACKING_URL;
  if (!url) throw new Error('run the tests by `npm run test:run`: it starts what gives backing services');
  // Not by fetch, whose maximum timeout is five minutes: images may have to be built first.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call(url, { method: 'POST' }, resolve).once('error', reject).end(JSON.stringify(request));
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${request.kind} could not be had: ${answer}`);
  return JSON.parse(answer);
}

/** Returns the address of a backing service, which is started if necessary; undefined if this machine has none. */
export const backing = async (kind: BackingKind): Promise<string | undefined> =>
  (await ask({ action: 'get', kind, worker: process.env.JEST_WORKER_ID })).address;

/** As `backing`; throws if there is none. */
export async function useShared(kind: BackingKind): Promise<string> {
  const address = await backing(kind);
  if (address === undefined) throw new Error(`there is no ${kind} here`);
  return address;
}

declare global {
  /** Functions that stop the dedicated services of this test file; the runner calls them after the file. */
  var wayquestOwnBacking: (() => Promise<unknown>)[] | undefined;
}

const ownOfThisProcess = new Map<BackingKind, Promise<BackingService>>();
let borrowers = 0;

async function startHere(kind: BackingKind): Promise<BackingService> {
  // Imported late: in our test runs the main process has it.
  const { findBackingService, startBackingService } = await import('./backing/backing-services.ts');
  const reasons: string[] = [];
  const service = await startBackingService(kind, await findBackingService(kind), (reason) =>
    reasons.push(reason),
  );
  if (!service)
    throw new Error(`there is no ${kind} here${reasons.map((reason) => `\n  ${reason}`).join('')}`);
  return service;
}

/**
 * Borrows backing services: those of the test run, or, in another kind of run, services of this process, which stop
 * when all borrowers have released them.
 */
export function borrowBacking() {
  if (process.env.WAYQUEST_TEST_BACKING_URL) return { need: useShared, release: async () => {} };
  borrowers += 1;
  return {
    async need(kind: BackingKind): Promise<string> {
      const starting = ownOfThisProcess.get(kind) ?? startHere(kind);
      ownOfThisProcess.set(kind, starting);
      return (await starting).address;
    },
    async release(): Promise<void> {
      borrowers -= 1;
      if (borrowers > 0) return;
      const started = await Promise.allSettled(ownOfThisProcess.values());
      ownOfThisProcess.clear();
      await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()));
    },
  };
}

/** Starts a backing service for this test file only, which may stop or pause it. */
export async function startDedicated(kind: BackingKind) {
  const { address } = await ask({ action: 'own', kind });
  if (address === undefined) throw new Error(`there is no ${kind} here`);
  globalThis.wayquestOwnBacking ??= [];
  globalThis.wayquestOwnBacking.push(() => ask({ action: 'end', kind, address }));
  return {
    address,
    goAway: () => ask({ action: 'away', kind, address }),
    kill: () => ask({ action: 'kill', kind, address }),
    comeBack: () => ask({ action: 'back', kind, address }),
    control: (...command: string[]) => ask({ action: 'control', kind, address, command }),
    pause: () => ask({ action: 'pause', kind, address }),
    resume: () => ask({ action: 'resume', kind, address }),
  };
}

/**
 * Declares suites that need backing services: `(await describeWith('rabbitmq'))('the bus', () => …)`. They are skipped,
 * and counted as skipped, if this machine lacks one of them.
 */
export async function describeWith(...kinds: BackingKind[]): Promise<typeof describe | typeof describe.skip> {
  const addresses = await Promise.all(kinds.map(backing));
  return addresses.includes(undefined) ? describe.skip : describe;
}
