import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { BackingKind, BackingService, Provider } from '../backing/backing-service.ts';
import { startBackingService } from '../backing/backing-services.ts';

/** A request of a test file; `own` starts a service that no other file shares. */
export interface BackingRequest {
  action: 'get' | 'own' | 'away' | 'kill' | 'back' | 'pause' | 'resume' | 'control' | 'end';
  kind: BackingKind;
  address?: string;
  /** The worker that runs the test file, for `get`. */
  worker?: string | undefined;
  /** The arguments of `control`. */
  command?: string[];
}

export interface BackingResponse {
  /** Undefined if there is none. */
  address?: string;
}

export interface BackingServer {
  url: string;
  /** Starts a shared service before the first suite needs it. */
  prepare(kind: BackingKind): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts backing services when the first test file needs one, shares them among all test files (an embedded store among
 * those of one worker), and stops them at the end of the run. It runs in the test run's main process; test files call
 * it over HTTP.
 *
 * @param requiredKinds - If one of these cannot be started, the suites that need it fail instead of being skipped.
 */
export async function startBackingServer(
  providersByKind: Partial<Record<BackingKind, Provider[]>>,
  requiredKinds: readonly BackingKind[],
  log: (sentence: string) => void,
): Promise<BackingServer> {
  const shared = new Map<string, Promise<BackingService | undefined>>();
  const started: BackingService[] = [];
  const ending: Promise<unknown>[] = [];

  const start = async (kind: BackingKind, providers: Provider[]) => {
    const service = await startBackingService(kind, providers, log);
    if (service) started.push(service);
    else if (requiredKinds.includes(kind)) throw new Error(`this run requires ${kind}, which did not start`);
    return service;
  };

  const providersOf = (kind: BackingKind): Provider[] => {
    const providers = providersByKind[kind];
    if (providers) return providers;
    throw new Error(`${kind} is not part of this run: only *.integration.test.ts files may use it`);
  };

  const handle = async (request: BackingRequest): Promise<BackingResponse> => {
    const { action, kind, address, worker = '', command = [] } = request;
    if (action === 'get') {
      // An embedded store uses one thread: a test file that fills it would delay those of other workers.
      const key = kind === 'embedded-store' ? `${kind} ${worker}` : kind;
      const service = shared.get(key) ?? start(kind, providersOf(kind));
      shared.set(key, service);
      return { address: (await service)?.address };
    }
    if (action === 'own') {
      const dedicatedProviders = providersOf(kind).filter(({ isExternal }) => !isExternal);
      return { address: (await start(kind, dedicatedProviders))?.address };
    }
    const service = started.find((one) => one.address === address);
    if (action === 'end') {
      // A service that fails to stop now is stopped at the end of the run.
      const ended = () => void (service && started.splice(started.indexOf(service), 1));
      if (service) ending.push(service.stop().then(ended, (error) => log(`${kind} did not stop (${error})`)));
      return {};
    }
    const operations = {
      away: service?.shutDown,
      kill: service?.kill,
      back: service?.restart,
      pause: service?.pause,
      resume: service?.resume,
      control: service?.control && (() => service.control?.(...command)),
    };
    const operation = operations[action];
    if (!operation) throw new Error(`${kind} at ${address} has no ${action}`);
    await operation();
    return { address };
  };

  const server = createServer(async (request, response) => {
    // This side could close an idle connection just when a test file uses it again.
    response.shouldKeepAlive = false;
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      response.end(JSON.stringify(await handle(JSON.parse(body))));
    } catch (error) {
      log(`a backing service failed (${inspect(error)})`);
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  // No timeout, since a service may have to be installed first.
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async prepare(kind) {
      await handle({ action: 'get', kind });
    },
    async close() {
      server.close();
      await Promise.allSettled([...shared.values(), ...ending]);
      await Promise.allSettled(started.map((service) => service.stop()));
    },
  };
}
