import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

export type Table = 'documents' | 'catalogue' | 'sessions';
type Bytes = Database<Uint8Array, Uint8Array>;
type Change = { table: Bytes; key: Uint8Array; value: Uint8Array | undefined };
type Group = { changes: Change[]; done: Promise<void>; resolve(): void; reject(error: unknown): void };

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** The folders that this process has open: LMDB would share one rather than refuse. */
const owned = new Set<string>();

function newGroup(): Group {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const done = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  // A failed group none of whose writers is still there must not end the process.
  done.catch(() => {});
  return { changes: [], done, resolve, reject };
}

/** The files: changes are gathered into groups, each one transaction, which is done when it is on the disk. */
export class Storage {
  /** Called when a group could not be written, before its writers hear of it. */
  onFailure: () => void = () => {};
  readonly #directory: string;
  readonly #owner: RootDatabase;
  readonly #env: RootDatabase<Uint8Array, Uint8Array>;
  readonly #tables: Record<Table, Bytes>;
  #gathering: Group | undefined;
  #writing: Group | undefined;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#directory = realpathSync(directory);
    this.#owner = take(this.#directory);
    // Without overlapping sync a commit is reported when it is on the disk, and not before. Without batches by
    // event turns, which nobody can wait for, only our own batch is told when a transaction fails.
    const options = { overlappingSync: false, eventTurnBatching: false, ...binary };
    this.#env = open({ path: join(directory, 'data'), ...options });
    this.#tables = {
      documents: this.#env.openDB('documents', binary),
      catalogue: this.#env.openDB('catalogue', binary),
      sessions: this.#env.openDB('sessions', binary),
    };
  }

  /** Puts a value, or without one removes it, with the next group. */
  write(table: Table, key: Uint8Array, value?: Uint8Array): void {
    if (!this.#gathering) {
      this.#gathering = newGroup();
      if (!this.#writing) setImmediate(() => this.#next());
    }
    this.#gathering.changes.push({ table: this.#tables[table], key, value });
  }

  /** Resolves when everything written so far is on the disk. */
  flushed(): Promise<void> {
    return (this.#gathering ?? this.#writing)?.done ?? Promise.resolve();
  }

  #next(): void {
    const group = this.#gathering;
    this.#gathering = undefined;
    this.#writing = group;
    if (!group) return;
    const done = () => {
      group.resolve();
      this.#next();
    };
    this.#commit(group).then(done, (error: unknown) => this.#fail(group, error));
  }

  async #commit({ changes }: Group): Promise<void> {
    await this.#env.batch(() => {
      for (const { table, key, value } of changes) {
        if (value) table.put(key, value);
        else table.remove(key);
      }
    });
  }

  /** What was gathered meanwhile rests on the changes that failed, and fails with them. */
  #fail(group: Group, error: unknown): void {
    if (isCommitError(error)) error.commitError.catch(() => {});
    const gathered = this.#gathering;
    this.#gathering = undefined;
    this.#writing = undefined;
    this.onFailure();
    group.reject(error);
    gathered?.reject(error);
  }

  /** Everything in a table in the order of its keys. */
  *entries(table: Table): Generator<{ key: Buffer; value: Uint8Array }> {
    for (const { key, value } of this.#tables[table].getRange({})) yield { key: Buffer.from(key), value };
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => {});
    await this.#env.close();
    await this.#owner.close();
    owned.delete(this.#directory);
  }
}

/** Whether a failure is LMDB's word that a transaction could not be stored. */
export const isCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  error instanceof Error && 'commitError' in error && error.commitError instanceof Promise;

/**
 * Makes this process the owner of a folder. A store of its own holds one reader open for good: its lock ends
 * with the process, however that ends, and holds back no page of the data.
 */
function take(directory: string): RootDatabase {
  if (owned.has(directory)) throw new Error(`${directory} is already open in this process`);
  const env = open({ path: join(directory, 'owner'), overlappingSync: false });
  env.readerCheck();
  env.useReadTransaction();
  env.get('owner');
  const readers = env
    .readerList()
    .split('\n')
    .map((line) => Number.parseInt(line, 10));
  const other = readers.find((pid) => pid > 0 && pid !== process.pid);
  if (other !== undefined) {
    void env.close();
    throw new Error(`${directory} is in use by process ${other}`);
  }
  owned.add(directory);
  return env;
}
