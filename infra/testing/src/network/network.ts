import type { Client, Event, HttpServiceName, ServiceName } from '@wayquest/contracts';
import type { Gateway } from '@wayquest/gateway';
import type { AssemblyOptions } from '@wayquest/local';
import type { EventBus } from '@wayquest/platform/bus';
import type { Clock, Environment, Timeouts } from '@wayquest/platform/process';
import type { Service } from '@wayquest/platform/service';
import type { Logger } from '@wayquest/platform/telemetry';
import type { mailsIn } from '../mails.ts';
import type { signToken } from '../tokens.ts';
import type { Part } from './part.ts';

interface CommonOptions {
  /** Those that take part; all if not said. A gateway is always there. */
  services?: readonly ServiceName[];
  /** The store's address; the one that this test file was given if not said. */
  mongo?: string;
  /** Redis' address, or `redis` for the run's own; none if not said. */
  redis?: string;
  /** As an operator says them; what is not said is as in production, the environment does not count. */
  settings?: Environment;
  /** Whether calls and attempts are limited as in production; without limits if not said. */
  limits?: boolean;
}

export interface InProcessOptions extends CommonOptions {
  as?: 'in-process';
  /** In-process if not said. RabbitMQ, the run's own or that of an address, must be there: see `describeWith`. */
  bus?: string;
  logger?: Logger;
  /** The built web app, for the gateway to serve. */
  webDirectory?: string;
  /** Of the gateway; a free one if not said. */
  port?: number;
  /** Patient ones if not said; suites about outages say those of production. */
  timeouts?: Timeouts;
  /** Of the services and the bus in the process; the machine's if not said. Tokens go by the machine's in any case. */
  clock?: Clock;
  /** How the auth service differs from the usual. */
  auth?: NonNullable<AssemblyOptions['tuning']>['auth'];
  /** How the notifications service differs from the usual. */
  notifications?: NonNullable<AssemblyOptions['tuning']>['notifications'];
  /** How the places service differs from the usual. It reads its gazetteer only when it is asked, if not said. */
  places?: NonNullable<AssemblyOptions['tuning']>['places'];
}

export interface ApartOptions extends CommonOptions {
  /** Each part in a process, or in a container of its own image. */
  as: 'processes' | 'containers';
  /** RabbitMQ's address; the run's own if not said. */
  bus?: string;
  /** How many of each; one of which nothing is said. Several gateways need a balancer of the caller's. */
  replicas?: Partial<Record<PartName, number>>;
}

export type NetworkOptions = InProcessOptions | ApartOptions;

export type PartName = ServiceName | 'gateway';

/** Wayquest, or a part of it, on free ports, with databases and queues of its own. */
export interface RunningNetwork extends AsyncDisposable {
  /** The gateway's. */
  url: string;
  /** Those that take part. */
  names: readonly ServiceName[];
  /** Calls through the gateway, in the name of the token's owner or nobody's. */
  client(token?: string): Client;
  signToken: typeof signToken;
  /** Tells an event in the name of a service, one that need not take part. */
  tell(event: Event): Promise<void>;
  /** Waits until nothing is under way: no event waits in an outbox or on the bus. */
  settle(): Promise<void>;
  /** The last lines that a part has logged, the newest last. */
  logs(part: PartName, last?: number): string[];
  stop(): Promise<void>;
}

/** A network in this process. */
export interface Network extends RunningNetwork {
  mongoUrl: string;
  databasePrefix: string;
  /** What is kept in files. */
  dataDirectory: string;
  /** What was written to an address, the newest last. */
  mailsTo: ReturnType<typeof mailsIn>;
  services: Record<ServiceName, Service>;
  gateway: Gateway;
  bus: EventBus;
  logger: Logger;
}

/** What lies at the other end of a way that can be cut. */
export type Far = HttpServiceName | 'mongo' | 'rabbitmq' | 'redis';

/** A network of processes or containers. Without `nth`, counted from 0, all replicas of a part are meant. */
export interface ApartNetwork extends RunningNetwork {
  /** What the names of its databases, queues and keys begin with. */
  installation: string;
  /** Where each gateway is; `url` is that of the first. */
  gateways: readonly Pick<Part, 'url' | 'managementUrl'>[];
  /** Leaves its connections open and answers nothing, until it is resumed. */
  pause(part: PartName, nth?: number): Promise<void>;
  resume(part: PartName, nth?: number): Promise<void>;
  /** Ends it at once, as `kill -9` does, until it is revived. */
  kill(part: PartName, nth?: number): Promise<void>;
  /** Starts what was killed; resolves when it is ready. */
  revive(part: PartName, nth?: number): Promise<void>;
  /** Ends it as an operator does, with the time that it takes to end in order, and starts it again. */
  restart(part: PartName, nth?: number): Promise<void>;
  /** Lets one part no longer reach another one, until the way is mended. */
  cut(from: PartName, to: Far): Promise<void>;
  mend(from: PartName, to: Far): Promise<void>;
}
