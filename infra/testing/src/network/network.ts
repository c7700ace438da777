import type { Client, Event, HttpServiceName, ServiceName } from '@wayquest/contracts';
import type { Gateway } from '@wayquest/gateway';
import type { AssemblyOptions } from '@wayquest/local';
import type { Clock, Timeouts } from '@wayquest/platform/async';
import type { Service } from '@wayquest/platform/service';
import type { Environment } from '@wayquest/platform/settings';
import type { Logger } from '@wayquest/platform/telemetry';
import type { mailsIn } from '../mails.ts';
import type { TestBus } from '../test-bus.ts';
import type { signToken } from '../tokens.ts';
import type { Part } from './part.ts';

interface CommonOptions {
  /** Services of the network; by default all. There is always a gateway. */
  services?: readonly ServiceName[];
  /** URL of the store; by default that of this test file. */
  mongo?: string;
  /** URL of Redis, or `redis` for that of the test run; by default none. */
  redis?: string;
  /** Settings that differ from the defaults. The environment is ignored. */
  settings?: Environment;
  /** Whether rate limits apply as in production; by default there are none. */
  limits?: boolean;
}

export interface InProcessOptions extends CommonOptions {
  as?: 'in-process';
  /** URL of RabbitMQ, or `rabbitmq` for that of the test run (see `describeWith`); by default the in-process bus. */
  bus?: string;
  logger?: Logger;
  /** The built web app, served by the gateway. */
  webDirectory?: string;
  /** The gateway's port; by default a free one. */
  port?: number;
  /** Long timeouts by default; suites about outages use those of production. */
  timeouts?: Timeouts;
  /** Whether the stores look as if an earlier version had used them, so that services run their migrations. */
  isUpgrade?: boolean;
  /** Clock of the services and the in-process bus; by default the system clock. Tokens always use the system clock. */
  clock?: Clock;
  /** Options of the auth service that differ from the defaults. */
  auth?: NonNullable<AssemblyOptions['tuning']>['auth'];
  /** Options of the challenges service that differ from the defaults. */
  challenges?: NonNullable<AssemblyOptions['tuning']>['challenges'];
  /** Options of the notifications service that differ from the defaults. */
  notifications?: NonNullable<AssemblyOptions['tuning']>['notifications'];
  /** Options of the places service that differ from the defaults. By default it reads its gazetteer on first use. */
  places?: NonNullable<AssemblyOptions['tuning']>['places'];
}

export interface MultiProcessOptions extends CommonOptions {
  /** Each part in its own process, or in a container of its own image. */
  as: 'processes' | 'containers';
  /** URL of RabbitMQ; by default that of the test run. */
  bus?: string;
  /** Number of replicas of a part; by default one. Several gateways need a load balancer of the caller. */
  replicas?: Partial<Record<PartName, number>>;
}

export type NetworkOptions = InProcessOptions | MultiProcessOptions;

export type PartName = ServiceName | 'gateway';

/** Wayquest, or a part of it, on free ports, with its own databases and queues. */
export interface RunningNetwork extends AsyncDisposable {
  /** URL of the gateway. */
  url: string;
  /** Services of the network. */
  names: readonly ServiceName[];
  /** A client of the gateway, with a token or without one. */
  client(token?: string): Client;
  signToken: typeof signToken;
  /** Publishes an event on behalf of a service, which need not be part of the network. */
  publish(event: Event): Promise<void>;
  /** Waits until no event is pending in an outbox or on the bus. */
  settle(): Promise<void>;
  /** The last log lines of a part, the newest last. */
  logs(part: PartName, last?: number): string[];
  stop(): Promise<void>;
}

/** A network in this process. */
export interface Network extends RunningNetwork {
  mongoUrl: string;
  databasePrefix: string;
  /** Folder for uploaded files and emails. */
  dataDirectory: string;
  /** Reads the emails to an address, the newest last. */
  mailsTo: ReturnType<typeof mailsIn>;
  services: Record<ServiceName, Service>;
  gateway: Gateway;
  bus: TestBus;
  logger: Logger;
}

/** A dependency whose connection can be cut. */
export type Dependency = HttpServiceName | 'mongo' | 'rabbitmq' | 'redis';

/** A network of processes or containers. Without `nth`, counted from 0, a method applies to all replicas of a part. */
export interface MultiProcessNetwork extends RunningNetwork {
  /** Prefix of its databases, queues and keys. */
  installation: string;
  /** URLs of the gateways; `url` is that of the first. */
  gateways: readonly Pick<Part, 'url' | 'managementUrl'>[];
  /** Stops responding with open connections, until it is resumed. */
  pause(part: PartName, nth?: number): Promise<void>;
  resume(part: PartName, nth?: number): Promise<void>;
  /** Kills it, as by `kill -9`, until it is revived. */
  kill(part: PartName, nth?: number): Promise<void>;
  /** Starts a killed part; resolves when it is ready. */
  revive(part: PartName, nth?: number): Promise<void>;
  /** Stops it gracefully, and starts it again. */
  restart(part: PartName, nth?: number): Promise<void>;
  /** Disconnects a part from a dependency, until it is reconnected. */
  disconnect(from: PartName, to: Dependency): Promise<void>;
  reconnect(from: PartName, to: Dependency): Promise<void>;
}
