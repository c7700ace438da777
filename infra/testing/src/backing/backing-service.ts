/** What suites may need besides the code itself. */
export type BackingKind =
  | 'mongodb'
  | 'embedded-store'
  | 'rabbitmq'
  | 'redis'
  | 'chromium'
  | 'full-chromium'
  | 'promtool'
  | 'haproxy'
  | 'kubectl'
  | 'compose'
  | 'images';

export interface BackingService {
  /** A URL; for Chromium, the program's path. */
  address: string;
  /** Stops it, and starts it again at the same address with its data, for tests of outages. */
  goAway?(): Promise<void>;
  /** As `goAway`, but immediately, as by `kill -9`. */
  kill?(): Promise<void>;
  comeBack?(): Promise<void>;
  /** Runs a command of its control program, such as `rabbitmqctl`. */
  control?(...command: string[]): Promise<void>;
  /** Stops responding with open connections, until it is resumed. */
  pause?(): Promise<void>;
  resume?(): Promise<void>;
  stop(): Promise<void>;
}

/** A way to get a backing service, and its description for people. */
export interface Provider {
  how: string;
  /** An external service, which no test may stop. */
  isBorrowed?: true;
  start(): Promise<BackingService>;
}

export interface FindOptions {
  /** Whether a package of the operating system may be installed. */
  mayInstall: boolean;
}

/** A fault of our own, although the machine has everything that is needed: tests fail instead of being skipped. */
export class OursIsBroken extends Error {}
