import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

type Change = { table: Database<Uint8Array, Uint8Array>; key: Uint8Array; value: Uint8Array | undefined };
type Group = { changes: Change[]; done: Promise<void>; resolve(): void; reject(error: unknown): void };
export type Table = 'documents' | 'catalogue' | 'sessions';

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** The folders this process has open: LMDB would share one of them rather than refuse. */
const owned = new Set<string>();

function newGroup(): Group {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const done = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  // A group whose writers have all gone must not end the process.
  done.catch(() => {});
  return { changes: [], done, resolve, reject };
}

/** The files: changes are gathered into groups, each one transaction, done when it is on the disk. */
export class Storage {
  /** Called when a group could not be written, before any of its writers hears of it. */
  onFailure: () => void = () => {};
  readonly #directory: string;
  readonly #env: RootDatabase<Uint8Array, Uint8Array>;
  readonly #owner: RootDatabase;
  readonly #tables: Record<Table, Database<Uint8Array, Uint8Array>>;
  #open: Group | undefined;
  #writing: Group | undefined;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    if (owned.has(directory)) throw new Error(`${directory} is already open in this process`);
    this.#owner = own(directory);
    owned.add(directory);
    // Without overlapping sync a commit is reported only once it is on the disk.
    this.#env = open({ path: join(directory, 'data'), overlappingSync: false, ...binary });
    this.#tables = {
      documents: this.#env.openDB('documents', binary),
      catalogue: this.#env.openDB('catalogue', binary),
      sessions: this.#env.openDB('sessions', binary),
    };
  }

  /** Puts a value, or removes it, with the next group. */
  write(table: Table, key: Uint8Array, value?: Uint8Array): void {
    if (!this.#open) {
      this.#open = newGroup();
      if (!this.#writing) setImmediate(() => this.#next());
    }
    this.#open.changes.push({ table: this.#tables[table], key, value });
  }

  /** Resolves when everything written so far is on the disk. */
  flushed(): Promise<void> {
    return (this.#open ?? this.#writing)?.done ?? Promise.resolve();
  }

  #next(): void {
    const group = this.#open;
    this.#open = undefined;
    this.#writing = group;
    if (!group) return;
    this.#commit(group.changes).then(
      () => {
        group.resolve();
        this.#next();
      },
      (error: unknown) => this.#fail(group, error),
    );
  }

  async #commit(changes: Change[]): Promise<void> {
    await this.#env.batch(() => {
      for (const { table, key, value } of changes) {
        if (value) table.put(key, value);
        else table.remove(key);
      }
    });
  }

  /** What was gathered meanwhile rests on the changes that failed, so it fails with them. */
  #fail(group: Group, error: unknown): void {
    const cause = isCommitError(error) ? error.commitError : undefined;
    cause?.catch(() => {});
    const gathered = this.#open;
    this.#open = undefined;
    this.#writing = undefined;
    this.onFailure();
    group.reject(error);
    gathered?.reject(error);
  }

  /** Everything of a table in the order of its keys. */
  *entries(table: Table): Generator<{ key: Uint8Array; value: Uint8Array }> {
    yield* this.#tables[table].getRange({});
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => {});
    await this.#env.close();
    await this.#owner.close();
    owned.delete(this.#directory);
  }
}

const isCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  typeof error === 'object' &&
  error !== null &&
  'commitError' in error &&
  error.commitError instanceof Promise;

/**
 * Makes this process the owner of a folder. A small store beside the data holds one reader open for good:
 * its lock ends with the process, however that ends, and holds no page of the data back.
 */
function own(directory: string): RootDatabase {
  const env = open({ path: join(directory, 'owner'), overlappingSync: false });
  env.readerCheck();
  env.useReadTransaction();
  env.get('owner');
  const others = env
    .readerList()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 0 && pid !== process.pid);
  if (others.length > 0) {
    void env.close();
    throw new Error(`${directory} is in use by process ${others.join(', ')}`);
  }
  return env;
}
