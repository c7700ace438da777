import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpServiceName, type ServiceName, serviceNames } from '@wayquest/contracts';
import { programs } from '@wayquest/local';
import { connectRedis } from '@wayquest/platform/redis';
import { settingsIn } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually } from '../eventually.ts';
import { dropDatabases } from '../store.ts';
import { closeTabsOf } from '../tabs.ts';
import { startRabbitMqBus } from '../test-bus.ts';
import { signToken, testKeys } from '../tokens.ts';
import { createCalls } from './calls.ts';
import { createContainerPart, hostMachine } from './container-part.ts';
import { createLogRecorder } from './log-recorder.ts';
import type { Dependency, MultiProcessNetwork, MultiProcessOptions, PartName } from './network.ts';
import type { Part } from './part.ts';
import { createProcessPart } from './process-part.ts';
import { findServers, type Servers } from './servers.ts';
import { longTimeouts, settingsWithoutLimits } from './settings.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** An address without a listener, for services that are not part of the network. */
const unreachableUrl = 'http://127.0.0.1:9';

const isHttpService = (name: ServiceName): name is HttpServiceName => name !== 'realtime';

/** Proxies from each part to each of its dependencies. */
function createProxies(
  as: MultiProcessOptions['as'],
  servers: Servers,
  partsOf: (name: ServiceName) => Part[],
) {
  const proxies = new Map<string, TcpProxy>();
  /** Proxies that the test has disconnected. */
  const disconnected = new Set<TcpProxy>();
  const inContainers = as === 'containers';

  const addressesOf = (to: Dependency): string[] => {
    if (to === 'mongo') return [servers.mongo];
    if (to === 'rabbitmq') return servers.bus ? [servers.bus] : [];
    if (to === 'redis') return servers.redis ? [servers.redis] : [];
    return partsOf(to).map(({ url }) => url);
  };

  return {
    /** Returns the address at which `from` reaches `to`; undefined if `to` does not exist. */
    async open(from: PartName, to: Dependency): Promise<string | undefined> {
      const [first, ...others] = addressesOf(to);
      if (!first) return undefined;
      const key = `${from} ${to}`;
      const proxy =
        proxies.get(key) ??
        (await createTcpProxy([first, ...others], inContainers ? { host: '0.0.0.0' } : {}));
      proxies.set(key, proxy);
      return inContainers ? proxy.address.replace('127.0.0.1', hostMachine) : proxy.address;
    },
    async disconnect(from: PartName, to: Dependency): Promise<void> {
      const proxy = proxies.get(`${from} ${to}`);
      if (!proxy) throw new Error(`${from} has no connection to ${to}`);
      disconnected.add(proxy);
      await proxy.disconnect();
    },
    async reconnect(from: PartName, to: Dependency): Promise<void> {
      const proxy = proxies.get(`${from} ${to}`);
      if (proxy && disconnected.delete(proxy)) await proxy.reconnect();
    },
    /** Refuses connections to a stopped part, as it would without a proxy. */
    async rejectConnections(to: PartName): Promise<void> {
      for (const [key, proxy] of proxies) if (key.endsWith(` ${to}`)) await proxy.disconnect();
    },
    async acceptConnections(to: PartName): Promise<void> {
      for (const [key, proxy] of proxies)
        if (key.endsWith(` ${to}`) && !disconnected.has(proxy)) await proxy.reconnect();
    },
    close: () => Promise.all([...proxies.values()].map((proxy) => proxy.disconnect())),
  };
}

/** Deletes an installation's keys in a shared Redis. */
async function deleteKeys(url: string, installation: string): Promise<void> {
  const redis = connectRedis(url, createLogger({ name: 'test', level: 'silent' }));
  await eventually(() => redis.status === 'ready');
  for await (const keys of redis.scanStream({ match: `${installation}:*` }))
    if (keys.length) await redis.del(keys);
  redis.disconnect();
}

/** The replicas of all parts, before they start, and what they share. */
interface Parts {
  parts: Part[];
  close(): Promise<void>;
}

async function createParts(
  { as, replicas = {} }: Pick<MultiProcessOptions, 'as' | 'replicas'>,
  names: readonly ServiceName[],
  image: string,
  add: (part: PartName, line: string) => void,
): Promise<Parts> {
  const partNames: PartName[] = [...names, 'gateway'];
  const replicaNames = partNames.flatMap((name) => Array.from({ length: replicas[name] ?? 1 }, () => name));
  const options = replicaNames.map((name) => ({ name, print: (line: string) => add(name, line) }));
  if (as === 'processes')
    return { parts: await Promise.all(options.map(createProcessPart)), close: async () => {} };

  const { Network } = await import('testcontainers');
  const network = await new Network().start();
  return {
    parts: await Promise.all(options.map((one) => createContainerPart({ ...one, image, network }))),
    close: async () => void (await network.stop()),
  };
}

/** Starts a network of processes or containers. */
export async function startMultiProcess(options: MultiProcessOptions): Promise<MultiProcessNetwork> {
  const { as, services: names = serviceNames, limits = false } = options;
  const { privateKey, publicKey } = testKeys();
  const installation = `test_${randomBytes(6).toString('hex')}`;
  const lines = createLogRecorder();
  const cleanups: (() => Promise<unknown>)[] = [async () => lines.stop()];
  cleanups.push(() => rm(join(tmpdir(), installation), { recursive: true, force: true }));
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };

  try {
    const servers = await findServers({ ...options, bus: options.bus ?? 'rabbitmq' });
    cleanups.push(servers.release);
    if (!servers.bus) throw new Error(`a network of ${as} needs a bus between them: RabbitMQ`);
    const logger = createLogger({ name: 'test', level: 'silent' });
    const bus = await startRabbitMqBus(servers.bus, logger, installation);
    cleanups.push(bus.close);
    cleanups.push(() =>
      dropDatabases(
        servers.mongo,
        names.map((name) => `${installation}_${name}`),
      ),
    );
    const { redis } = servers;
    if (redis) cleanups.push(() => deleteKeys(redis, installation));

    const { parts, close } = await createParts(options, names, servers.images ?? '', lines.add);
    cleanups.push(close);
    const partsOf = (name: PartName) => parts.filter((part) => part.name === name);
    const proxies = createProxies(as, servers, partsOf);
    cleanups.push(proxies.close);

    const allSettings = async (name: PartName): Promise<Record<string, string | undefined>> => {
      const addresses = names
        .filter(isHttpService)
        .map(async (to) => [`${to.toUpperCase()}_URL`, await proxies.open(name, to)] as const);
      const realtime =
        as === 'containers' ? ['http://realtime:8080'] : partsOf('realtime').map(({ url }) => url);
      return {
        ...Object.fromEntries(
          serviceNames.map((service) => [`${service.toUpperCase()}_URL`, unreachableUrl]),
        ),
        ...Object.fromEntries(await Promise.all(addresses)),
        ...(names.includes('realtime') && { REALTIME_URL: realtime.join(',') }),
        MONGO_URL: await proxies.open(name, 'mongo'),
        AMQP_URL: await proxies.open(name, 'rabbitmq'),
        REDIS_URL: await proxies.open(name, 'redis'),
        JWT_PRIVATE_KEY: privateKey,
        JWT_PUBLIC_KEY: publicKey,
        INSTALLATION: installation,
        DATA_DIR: join(tmpdir(), installation),
        LOG_LEVEL: process.env.WAYQUEST_TEST_LOG || 'info',
        STORE_TIMEOUT_MS: String(longTimeouts.storeCallMs),
        ...(!limits && settingsWithoutLimits),
        ...options.settings,
      };
    };
    /** Returns the environment of a part: only the settings that it declares. */
    const environmentOf = async (name: PartName): Promise<Record<string, string>> => {
      const program = programs.find((one) => one.name === name);
      const settings = Object.entries(await allSettings(name)).flatMap(([setting, value]) =>
        program && setting in settingsIn(program.alone) && value !== undefined ? [[setting, value]] : [],
      );
      return Object.fromEntries(settings);
    };

    const states = new Map<Part, 'paused' | 'killed'>();
    const start = async (part: Part) => {
      try {
        await part.start(await environmentOf(part.name));
        states.delete(part);
      } catch (error) {
        throw new Error([String(error), ...lines.of(part.name)].join('\n  '));
      }
    };
    /** Waits for all of them also if one fails, since what is still starting could not be stopped. */
    const startAll = async (selected: Part[]) => {
      const started = await Promise.allSettled(selected.map(start));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    };
    cleanups.push(() => Promise.all(parts.map((part) => part.resume().then(part.stop))));
    await startAll(parts.filter(({ name }) => name !== 'gateway'));
    await startAll(partsOf('gateway'));

    const select = (name: PartName, nth?: number): Part[] => {
      const all = partsOf(name);
      const selected = nth === undefined ? all : all.slice(nth, nth + 1);
      if (!selected.length) throw new Error(`there is no ${[name, nth].join(' ')} in this network`);
      return selected;
    };
    const forEachPart = (selected: Part[], work: (part: Part) => Promise<void>) =>
      Promise.all(selected.map(work));

    const unavailableReason = (service: HttpServiceName): string | undefined => {
      const replicaStates = partsOf(service).map((part) => states.get(part));
      const state = replicaStates.includes(undefined) ? undefined : replicaStates[0];
      return state && (state === 'paused' ? 'is paused' : 'was killed');
    };
    const isIdle = async () => {
      const services = parts.filter((part) => part.name !== 'gateway' && !states.has(part));
      const responses = await Promise.all(
        services.map(({ managementUrl }) => fetch(`${managementUrl}/idlez`)),
      );
      return responses.every(({ ok }) => ok);
    };
    const url = partsOf('gateway')[0]?.url ?? unreachableUrl;
    cleanups.push(async () => closeTabsOf(url));

    return {
      url,
      installation,
      gateways: partsOf('gateway'),
      names,
      client: createCalls({ baseUrl: () => url, services: names, unavailableReason }),
      signToken,
      publish: (event) => bus.publish(event),
      // Twice, since between two checks an event can move from an outbox over the bus into another outbox.
      async settle() {
        await eventually(async () => (await isIdle()) && (await isIdle()), {
          withinMs: 50_000,
          everyMs: 50,
        });
      },
      logs: lines.of,
      async pause(name, nth) {
        await forEachPart(select(name, nth), async (part) => {
          await part.pause();
          states.set(part, 'paused');
        });
      },
      async resume(name, nth) {
        await forEachPart(select(name, nth), async (part) => {
          await part.resume();
          states.delete(part);
        });
      },
      async kill(name, nth) {
        await forEachPart(select(name, nth), async (part) => {
          states.set(part, 'killed');
          await part.kill();
        });
        if (partsOf(name).every((part) => states.get(part) === 'killed'))
          await proxies.rejectConnections(name);
      },
      async revive(name, nth) {
        await startAll(select(name, nth));
        await proxies.acceptConnections(name);
      },
      async restart(name, nth) {
        await forEachPart(select(name, nth), async (part) => {
          await part.stop();
          await start(part);
        });
      },
      disconnect: proxies.disconnect,
      reconnect: proxies.reconnect,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    // What failed first says why.
    await stop().catch((whileStopping: unknown) => {
      throw new AggregateError([error, whileStopping], String(error));
    });
    throw error;
  }
}
