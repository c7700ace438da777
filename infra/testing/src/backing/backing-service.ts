/** Servers and programs that suites may need. */
export type BackingKind =
  | 'mongodb'
  | 'embedded-store'
  | 'rabbitmq'
  | 'redis'
  | 'chromium'
  | 'full-chromium'
  | 'promtool'
  | 'haproxy'
  | 'caddy'
  | 'kubectl'
  | 'compose'
  | 'images';

export interface BackingService {
  /** A URL; for Chromium, the program's path. */
  address: string;
  /** Stops it gracefully, until `restart`; for tests of outages. */
  shutDown?(): Promise<void>;
  /** Kills it (`kill -9`), until `restart`. */
  kill?(): Promise<void>;
  /** Starts it again at the same address, with its data. */
  restart?(): Promise<void>;
  /** Runs a command of its control program, such as `rabbitmqctl`. */
  control?(...command: string[]): Promise<void>;
  /** Stops responding with open connections, until it is resumed. */
  pause?(): Promise<void>;
  resume?(): Promise<void>;
  stop(): Promise<void>;
}

/** One way to start a backing service. */
export interface Provider {
  /** Printed at the start of a test run. */
  description: string;
  /** An external service, which no test may stop. */
  isExternal?: true;
  start(): Promise<BackingService>;
}

export interface FindOptions {
  /** Whether operating system packages may be installed. */
  mayInstall: boolean;
}

/** The images of this checkout cannot be built. Unlike a missing program, this fails suites instead of skipping them. */
export class BuildError extends Error {}
