import { mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, open, type RootDatabase } from 'lmdb';
import { ServerError } from './errors.ts';

type Change = { key: Uint8Array; value: Uint8Array | undefined };

const DISK_FREE_LIMIT = 64 * 1024 * 1024;
/** Space that a change can take besides its value, for copies of the pages that lead to it. */
const PAGES = 16 * 1024;

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** The folders that this process has open: LMDB would share one instead of rejecting it. */
const openDirectories = new Set<string>();

/** The files. Changes that arrive during a transaction are collected for the next one. */
export class Storage {
  /** Called when a transaction failed, before its writers are rejected. */
  onFailure: () => void = () => {};
  readonly #directory: string;
  readonly #diskFreeLimit: number;
  readonly #ownership: Ownership;
  readonly #env: RootDatabase<Uint8Array, Uint8Array>;
  readonly #table: Database<Uint8Array, Uint8Array>;
  #gathered: Change[] | undefined;
  #flushed = Promise.resolve();

  /**
   * @param directory - The folder of the files.
   * @param diskFreeLimit - Bytes that have to stay free on the disk.
   * @param isDurable - Whether a commit waits for the disk. Without, a crash of the machine can corrupt the files.
   */
  constructor(directory: string, diskFreeLimit = DISK_FREE_LIMIT, isDurable = true) {
    this.#diskFreeLimit = diskFreeLimit;
    mkdirSync(directory, { recursive: true });
    this.#directory = realpathSync(directory);
    this.#ownership = lockDirectory(this.#directory);
    // Without overlapping sync a commit is reported only once it is on disk. Without batches by event turns, which
    // cannot be awaited, only our own batch is notified of a failed transaction.
    const path = join(directory, 'data');
    this.#env = open({
      path,
      overlappingSync: false,
      noSync: !isDurable,
      eventTurnBatching: false,
      ...binary,
    });
    this.#table = this.#env.openDB('documents', binary);
  }

  /** Writes a value, or removes it, with the next transaction. */
  write(key: Uint8Array, value?: Uint8Array): void {
    if (!this.#gathered) {
      this.#gathered = [];
      // A transaction waits for the previous one and fails with it, since it depends on its changes.
      this.#flushed = this.#flushed.then(() => nextTurn()).then(() => this.#commit());
      // A failed transaction without remaining writers must not end the process.
      this.#flushed.catch(() => {});
    }
    this.#gathered.push({ key, value });
  }

  /** Discards changes that are in no transaction yet. */
  discard(): void {
    if (this.#gathered) this.#gathered = [];
  }

  /** Resolves when everything written so far is on the disk. */
  flushed(): Promise<void> {
    return this.#flushed;
  }

  async #commit(): Promise<void> {
    const changes = this.#gathered ?? [];
    this.#gathered = undefined;
    try {
      this.checkRoom(changes);
      await this.#env.batch(() => {
        for (const { key, value } of changes) {
          if (value) this.#table.put(key, value);
          else this.#table.remove(key);
        }
      });
    } catch (error) {
      if (isCommitError(error)) error.commitError.catch(() => {});
      this.#gathered = undefined;
      this.#flushed = Promise.resolve();
      try {
        this.onFailure();
      } catch (cause) {
        // Memory cannot be distinguished from what was never stored. No response may be based on it, so the process has
        // to end.
        void Promise.reject(cause);
      }
      throw new ServerError(14031, `the write could not be stored and was undone: ${error}`);
    }
  }

  /**
   * Fails if there is no room for some changes or, without any, for further ones. A transaction must not find the disk
   * full: LMDB's binding overruns its own buffer when it reports that.
   */
  checkRoom(changes: Change[] = []): void {
    if (changes.length === 0 && this.#gathered) return;
    const { bavail, bsize } = statfsSync(this.#directory);
    const size = changes.length && statSync(join(this.#directory, 'data', 'data.mdb')).size;
    const values = changes.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    const needed = this.#diskFreeLimit + 2 * values + Math.min(changes.length * PAGES, 2 * size);
    if (bavail * bsize < needed) throw new ServerError(14031, `no room on the disk of ${this.#directory}`);
  }

  /** Yields all entries in the order of keys. */
  *entries(): Generator<{ key: Buffer; value: Uint8Array }> {
    for (const { key, value } of this.#table.getRange()) yield { key: Buffer.from(key), value };
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => {});
    await this.#env.close();
    await this.#ownership.env.close();
    openDirectories.delete(this.#directory);
  }
}

/** LMDB's error of a failed commit contains a further promise that rejects with it. */
const isCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  error instanceof Error && 'commitError' in error && error.commitError instanceof Promise;

/** Its reader is closed once nobody holds it, which frees the folder for others. */
type Ownership = { env: RootDatabase; reader: ReturnType<RootDatabase['useReadTransaction']> };

/**
 * Makes this process the owner of a folder. A reader in a separate, empty LMDB environment stays open: its lock ends
 * with the process, however that ends, and retains no page of the data.
 */
function lockDirectory(directory: string): Ownership {
  if (openDirectories.has(directory)) throw new Error(`${directory} is already open in this process`);
  const env = open({ path: join(directory, 'owner'), overlappingSync: false });
  env.readerCheck();
  const reader = env.useReadTransaction();
  env.get('owner');
  const readers = env.readerList().split('\n');
  const other = readers
    .map((line) => Number.parseInt(line, 10))
    .find((pid) => pid > 0 && pid !== process.pid);
  if (other !== undefined) {
    void env.close();
    throw new Error(`${directory} is in use by process ${other}`);
  }
  openDirectories.add(directory);
  return { env, reader };
}
