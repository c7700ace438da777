import { randomUUID } from 'node:crypto';
import { setTimeout as aMoment } from 'node:timers/promises';
import { type Connection, type Model, Schema } from 'mongoose';
import { isWriteConflict } from './races.ts';

interface PreparedDocument {
  _id: string;
  /** The version that the store was last prepared for. */
  version: number;
  /** The instance that prepares it, with a lease that it renews. */
  owner?: string | null;
  until?: Date | null;
}

const schema = new Schema<PreparedDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true, default: 0 },
  owner: String,
  until: Date,
});
schema.set('shardKey', { _id: 'hashed' });

const _id = 'store';
const unprepared = { version: 0 };
const free = { $unset: { owner: 1, until: 1 } } as const;
const lookAgainMs = 100;

/** Lease after which another instance takes over from one that was killed. */
const defaultLeaseMs = 30_000;

async function taken(Prepared: Model<PreparedDocument>, owner: string, until: Date): Promise<boolean> {
  try {
    const { upsertedCount, modifiedCount } = await Prepared.updateOne(
      { _id, $or: [{ until: null }, { until: { $lt: new Date() } }] },
      { $set: { owner, until }, $setOnInsert: unprepared },
      { upsert: true },
    );
    return upsertedCount + modifiedCount > 0;
  } catch (error) {
    if (isWriteConflict(error)) return false;
    throw error;
  }
}

/**
 * Prepares the store for a version. Of several instances that start with a new version, one does it, and the others
 * wait; if it is killed, another one takes over. If the store has this version already, or a later one, the work runs
 * anyway, without a lease: an instance of an earlier version may have written since.
 */
export async function prepareOnce(
  connection: Connection,
  {
    version,
    work,
    leaseMs = defaultLeaseMs,
  }: { version: number; work(): Promise<void>; leaseMs?: number | undefined },
): Promise<void> {
  const Prepared: Model<PreparedDocument> =
    connection.models.Prepared ?? connection.model<PreparedDocument>('Prepared', schema, 'prepared');
  const isPrepared = async () =>
    ((await Prepared.findById(_id, { version: 1 }).lean())?.version ?? 0) >= version;
  if (await isPrepared()) return work();

  const owner = randomUUID();
  const leaseEnd = () => new Date(Date.now() + leaseMs);
  while (!(await taken(Prepared, owner, leaseEnd()))) {
    await aMoment(lookAgainMs);
    if (await isPrepared()) return;
  }
  const renewing = setInterval(() => {
    // If another instance takes over meanwhile, it repeats the work, which is idempotent.
    void Prepared.updateOne({ _id, owner }, { $set: { until: leaseEnd() } }).catch(() => {});
  }, leaseMs / 3).unref();
  try {
    // The previous holder may have just finished.
    if (!(await isPrepared())) await work();
    await Prepared.updateOne({ _id, owner }, { $max: { version }, ...free });
  } catch (error) {
    await Prepared.updateOne({ _id, owner }, free).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewing);
  }
}
