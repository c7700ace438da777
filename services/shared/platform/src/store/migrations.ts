import { randomUUID } from 'node:crypto';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Clock } from '../async/clock.ts';
import { whileRenewing } from '../async/lease.ts';
import type { Logger } from '../telemetry/logging.ts';
import { version as thisVersion } from '../telemetry/metrics.ts';
import { isWriteConflict } from './store-errors.ts';

/** A change of a service's stored data that a version needs before it serves. */
export interface Migration {
  /** `NNN-name`, numbered in the order of a service. Recorded in the store, so it never changes. */
  name: string;
  /**
   * Changes the data. Called again if a process died in it, and by a second process if the first one stalled for longer
   * than its lease, so each step must be idempotent. All indexes of the service exist already.
   */
  run(): Promise<void>;
}

/** How migrations are run. */
export interface MigrationOptions {
  /** In the order in which they are run. */
  migrations: readonly Migration[];
  logger?: Logger | undefined;
  clock: Clock;
  /** Creates the indexes of the service. */
  createIndexes(): Promise<void>;
  /** How long another process waits for one that was killed, in milliseconds. */
  leaseMs?: number | undefined;
  /** The version of the process, as in `0.3.0`. Default: its own. */
  version?: string | undefined;
}

/** The store has been migrated by a version that is newer than the process, which cannot read it. */
export class NewerStoreError extends Error {}

interface MigrationDocument {
  /** The name of a migration, or `lease`. */
  _id: string;
  /** When the migration was completed. */
  doneAt?: Date;
  /** The version that completed it; missing for those of versions before 0.3.0. */
  version?: string;
  /** The process that holds the lease. */
  owner?: string | null;
  /** When the lease ends. */
  until?: Date | null;
}

const schema = new Schema<MigrationDocument>({
  _id: { type: String, required: true },
  doneAt: Date,
  version: String,
  owner: String,
  until: Date,
});
schema.set('shardKey', { _id: 'hashed' });

const modelOf = (connection: Connection): Model<MigrationDocument> =>
  connection.models.Migration ?? connection.model<MigrationDocument>('Migration', schema, 'migrations');

const lease = 'lease';
const defaultLeaseMs = 30_000;
const retryMs = 100;

/** Acquires the lease if it is free or expired; returns whether it did. */
async function acquire(
  Migrations: Model<MigrationDocument>,
  { owner, now, until }: { owner: string; now: Date; until: Date },
): Promise<boolean> {
  try {
    const { upsertedCount, modifiedCount } = await Migrations.updateOne(
      { _id: lease, $or: [{ until: null }, { until: { $lt: now } }] },
      { $set: { owner, until } },
      { upsert: true },
    );
    return upsertedCount + modifiedCount > 0;
  } catch (error) {
    if (isWriteConflict(error)) return false;
    throw error;
  }
}

/** Whether a version is newer than another one: 0.10.0 than 0.9.1. */
export const isNewer = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) > 0;

/** Whether a store has no data that a migration could change: no collection but that of the lease. */
async function isNewStore(connection: Connection): Promise<boolean> {
  const collections = await connection.listCollections();
  return collections.every(({ name }) => name === modelOf(connection).collection.name);
}

/**
 * Creates the indexes and runs the migrations that the store's `migrations` collection does not contain, one after the
 * other; each is recorded when it is complete. In a new store they are only recorded. Of several processes one does it
 * under a lease, and the others wait; if it is killed, another one continues with the migration that was not completed.
 * Without a pending migration only the indexes are created, without a lease.
 *
 * @throws {@link NewerStoreError} if a newer version has migrated the store in a way that this one does not know; the error
 *   of a migration: the lease is released then, and the next start tries again.
 */
export async function runMigrations(
  connection: Connection,
  {
    migrations,
    logger,
    clock,
    createIndexes,
    leaseMs = defaultLeaseMs,
    version = thisVersion,
  }: MigrationOptions,
): Promise<void> {
  const Migrations = modelOf(connection);
  const pendingMigrations = async (): Promise<Migration[]> => {
    const done = await Migrations.find({ _id: { $gte: '' } }, { version: 1 }).lean();
    const unknown = done.find(
      (one) => isNewer(one.version ?? '', version) && !migrations.some(({ name }) => name === one._id),
    );
    if (unknown)
      throw new NewerStoreError(
        `The store ${connection.name} was migrated by version ${unknown.version} (${unknown._id}), and this is ${version}. Start that version again, or restore a backup that ${version} made.`,
      );
    return migrations.filter(({ name }) => !done.some(({ _id }) => _id === name));
  };
  if (!(await pendingMigrations()).length) return createIndexes();

  const owner = randomUUID();
  const newLease = () => {
    const now = clock.now();
    return { owner, now: new Date(now), until: new Date(now + leaseMs) };
  };
  for (let hasLogged = false; !(await acquire(Migrations, newLease())); hasLogged = true) {
    if (!hasLogged) logger?.info('another process migrates the store; waiting for it');
    await clock.sleep(retryMs);
    if (!(await pendingMigrations()).length) return createIndexes();
  }
  const extend = () => Migrations.updateOne({ _id: lease, owner }, { $set: { until: newLease().until } });
  /** Throws if another process has taken over, since it may have completed what follows. */
  const requireLease = async (): Promise<void> => {
    const { matchedCount } = await extend();
    if (matchedCount === 0)
      throw new Error('another process took over the migration of the store, since this one stalled');
  };
  const recordDone = (completed: readonly Migration[]) =>
    Migrations.bulkWrite(
      completed.map(({ name }) => ({
        updateOne: {
          filter: { _id: name },
          update: { $set: { doneAt: new Date(clock.now()), version } },
          upsert: true,
        },
      })),
    );
  const migrate = async (): Promise<void> => {
    const isNew = await isNewStore(connection);
    await createIndexes();
    // The previous holder may have completed some.
    const pending = await pendingMigrations();
    if (isNew) {
      await requireLease();
      await recordDone(pending);
      return;
    }
    for (const migration of pending) {
      const { name } = migration;
      await requireLease();
      logger?.info({ migration: name }, 'migration started');
      const start = clock.now();
      await migration.run();
      await recordDone([migration]);
      logger?.info({ migration: name, ms: clock.now() - start }, 'migration complete');
    }
  };
  try {
    // A renewal that fails is tried again before the lease ends, and required before each migration.
    const renew = () => extend().catch(() => {});
    await whileRenewing({ everyMs: leaseMs / 3, clock, renew }, migrate);
  } finally {
    await Migrations.updateOne({ _id: lease, owner }, { $unset: { owner: 1, until: 1 } }).catch(() => {});
  }
}
