import { connectRedis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import type { Dependency, MultiProcessNetwork, PartName } from '@wayquest/testing';
import { eventually } from '@wayquest/testing/eventually';
import type { Randomness } from './randomness.ts';

/** A fault that lasts for a while. */
export interface Fault {
  name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Makes Redis reject writes, as if it had no memory left, or accept them again. */
const fillRedis =
  (url: string) =>
  async (isFull: boolean): Promise<void> => {
    const redis = connectRedis(url, createLogger({ name: 'chaos', level: 'silent' }));
    await eventually(() => redis.status === 'ready');
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.config('SET', 'maxmemory', isFull ? '1' : '0');
    redis.disconnect();
  };

/** A server and the faults that it supports. */
export interface FaultyServer {
  address: string;
  shutDown?(): Promise<unknown>;
  /** As by `kill -9`. */
  kill?(): Promise<unknown>;
  restart?(): Promise<unknown>;
  pause?(): Promise<unknown>;
  resume?(): Promise<unknown>;
  /** For RabbitMQ the arguments of `rabbitmqctl`. */
  control?(...command: string[]): Promise<unknown>;
}

export interface Servers {
  mongo: FaultyServer;
  rabbitmq: FaultyServer;
  redis: FaultyServer;
}

const serverFaults = ({ mongo, rabbitmq, redis }: Servers): Fault[] => {
  const each = Object.entries({ MongoDB: mongo, RabbitMQ: rabbitmq, Redis: redis });
  const { control } = rabbitmq;
  const fill = fillRedis(redis.address);
  return [
    ...each.flatMap(([name, { shutDown, kill, restart, pause, resume }]) => [
      ...(shutDown && restart ? [{ name: `${name} ended`, begin: shutDown, end: restart }] : []),
      ...(kill && restart ? [{ name: `${name} killed`, begin: kill, end: restart }] : []),
      ...(pause && resume ? [{ name: `${name} paused`, begin: pause, end: resume }] : []),
    ]),
    ...(control
      ? [
          {
            name: 'RabbitMQ out of memory',
            begin: () => control('set_vm_memory_high_watermark', '0.00001'),
            end: () => control('set_vm_memory_high_watermark', '0.6'),
          },
        ]
      : []),
    { name: 'Redis full', begin: () => fill(true), end: () => fill(false) },
  ];
};

/** Dependencies that each part can be cut off from; for a service, its store or the broker. */
const dependenciesOf = (part: PartName): Dependency[] => {
  if (part === 'gateway') return ['users', 'challenges', 'participation', 'friends', 'chat'];
  return part === 'realtime' ? ['redis', 'rabbitmq'] : ['mongo', 'rabbitmq'];
};

const partsOf = ({ names }: MultiProcessNetwork): PartName[] => [...names, 'gateway'];

/**
 * All faults of a network: each part killed, paused and cut off from a dependency; each server stopped, killed, paused
 * and filled.
 */
export const faultsOf =
  (servers: Servers, only = /./) =>
  (network: MultiProcessNetwork, chance: Randomness): Fault[] => {
    const all = partsOf(network).flatMap((part): Fault[] => {
      const dependency = chance.one(dependenciesOf(part));
      return [
        { name: `${part} killed`, begin: () => network.kill(part), end: () => network.revive(part) },
        { name: `${part} paused`, begin: () => network.pause(part), end: () => network.resume(part) },
        ...(dependency
          ? [
              {
                name: `${part} cut off from ${dependency}`,
                begin: () => network.disconnect(part, dependency),
                end: () => network.reconnect(part, dependency),
              },
            ]
          : []),
      ];
    });
    return [...all, ...serverFaults(servers)].filter(({ name }) => only.test(name));
  };

/** Rolling restarts of these parts, one replica after the other. */
export const rollingRestartsOf =
  (parts: PartName[]) =>
  (network: MultiProcessNetwork): Fault[] =>
    parts.map((part) => ({
      name: `${part} replaced`,
      begin: () => network.restart(part, 0),
      end: () => network.restart(part, 1),
    }));
