/** What a suite may need beside the code itself. */
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
  /** Where it is: a URL, or for Chromium the program's path. */
  address: string;
  /** Takes it away and brings it back at the same address, with its data, for tests of what happens meanwhile. */
  goAway?(): Promise<void>;
  /** As `goAway`, but at once and without a word, as `kill -9` does. */
  kill?(): Promise<void>;
  comeBack?(): Promise<void>;
  /** Runs a command of its own control program: for RabbitMQ what `rabbitmqctl` takes. */
  control?(...command: string[]): Promise<void>;
  /** Leaves its connections open and answers nothing, until it is resumed. */
  pause?(): Promise<void>;
  resume?(): Promise<void>;
  stop(): Promise<void>;
}

/** One way to get at a backing service, and how it is called in front of people. */
export interface Way {
  how: string;
  /** Gives what somebody else runs, and which nobody may take away. */
  isBorrowed?: true;
  start(): Promise<BackingService>;
}

export interface FindOptions {
  /** Whether a package of the system may be installed. */
  mayInstall: boolean;
}

/** What is ours is broken, where the machine has all that it needs: tests fail by it instead of being skipped. */
export class OursIsBroken extends Error {}
