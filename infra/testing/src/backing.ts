import type { BackingKind } from './backing/backing-service.ts';
import type { BackingAnswer, BackingRequest } from './jest/backing-server.ts';

async function ask(request: BackingRequest): Promise<BackingAnswer> {
  const url = process.env.WAYQUEST_TEST_BACKING_URL;
  if (!url) throw new Error('run the tests by `npm run test:run`: it starts what gives backing services');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
  if (!response.ok) throw new Error(`${request.kind} could not be had`);
  return JSON.parse(await response.text());
}

/** The address of a backing service, started if need be; undefined if this machine has none. */
export const backing = async (kind: BackingKind): Promise<string | undefined> =>
  (await ask({ action: 'get', kind })).address;

/** As `backing`; throws if there is none. */
export async function needBacking(kind: BackingKind): Promise<string> {
  const address = await backing(kind);
  if (address === undefined) throw new Error(`there is no ${kind} here`);
  return address;
}

/** A backing service that this test file has for itself and may take away or pause. */
export async function ownBacking(kind: BackingKind) {
  const { address } = await ask({ action: 'own', kind });
  if (address === undefined) throw new Error(`there is no ${kind} here`);
  return {
    address,
    goAway: () => ask({ action: 'away', kind, address }),
    comeBack: () => ask({ action: 'back', kind, address }),
    control: (...command: string[]) => ask({ action: 'control', kind, address, command }),
    pause: () => ask({ action: 'pause', kind, address }),
    resume: () => ask({ action: 'resume', kind, address }),
  };
}

/**
 * Suites that need backing services: `(await describeWith('rabbitmq'))('the bus', () => …)`. They are skipped, and
 * counted as skipped, where the machine cannot give one of them.
 */
export async function describeWith(...kinds: BackingKind[]): Promise<typeof describe | typeof describe.skip> {
  const addresses = await Promise.all(kinds.map(backing));
  return addresses.includes(undefined) ? describe.skip : describe;
}
