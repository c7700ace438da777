import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from '../store/store-errors.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';

type BlockEvent = ReplicaEvent<'user.blocked.v1' | 'user.unblocked.v1'>;

interface BlockDocument extends WithLastEventAt {
  _id: number;
  userId: number;
  blockedId: number;
  /** Lifted ones stay, since the unblocking may arrive before the blocking. */
  active: boolean;
  version: number;
}

const schema = new Schema<BlockDocument>({
  _id: { type: Number, required: true },
  userId: { type: Number, required: true },
  blockedId: { type: Number, required: true },
  active: { type: Boolean, required: true },
  version: { type: Number, required: true },
  lastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1 });
schema.index({ blockedId: 1 });

/** Replica of blocks, fed by the events of the friends service. */
export interface BlockReplica {
  applyBlocked: (event: BlockEvent) => Promise<void>;
  applyUnblocked: (event: BlockEvent) => Promise<void>;
  erase(userId: number): Promise<void>;
  /** Deletes rows without an event since a time. */
  pruneStale(since: Date): Promise<void>;
  /** The users whom a user blocked or was blocked by: neither sees the other. */
  hiddenFrom(userId: number | undefined): Promise<Set<number>>;
  /** Whether either has blocked the other. */
  isBlockedBetween(one: number, other: number): Promise<boolean>;
  /** Returns which of two people have blocked the other. */
  blockersAmong(one: number, other: number): Promise<Set<number>>;
  /** Whether the first user has blocked the second. */
  hasBlocked(userId: number, blockedId: number): Promise<boolean>;
}

/** Creates the replica in a service's database. */
export function createBlockReplica(connection: Connection): BlockReplica {
  const Blocks = connection.model<BlockDocument>('Block', schema, 'blocks');

  const apply =
    (active: boolean) =>
    async (event: BlockEvent): Promise<void> => {
      const { blockId: _id, userId, blockedId, version } = event.data;
      const state = { userId, blockedId, active, version, lastEventAt: lastEventAt(event) };
      const isOlder = event.replayed
        ? { $or: [{ version: { $lt: version } }, staleSince(event.replayed)] }
        : { version: { $lt: version } };
      const { matchedCount } = await Blocks.updateOne({ _id, ...isOlder }, { $set: state });
      if (matchedCount) return;
      try {
        await Blocks.create({ _id, ...state });
      } catch (error) {
        // The stored row is as new, or was just inserted concurrently.
        if (!isDuplicateKey(error)) throw error;
        await Blocks.updateOne({ _id, version: { $lt: version } }, { $set: state });
      }
    };

  const blockersAmong = async (one: number, other: number): Promise<Set<number>> => {
    const eitherDirection = [
      { userId: one, blockedId: other },
      { userId: other, blockedId: one },
    ];
    const found = await Blocks.find({ $or: eitherDirection, active: true }, { userId: 1 }).lean();
    return new Set(found.map(({ userId }) => userId));
  };

  return {
    applyBlocked: apply(true),
    applyUnblocked: apply(false),

    async erase(userId: number): Promise<void> {
      await Blocks.deleteMany({ $or: [{ userId }, { blockedId: userId }] });
    },

    async pruneStale(since: Date): Promise<void> {
      await Blocks.deleteMany(staleSince(since), scanById);
    },

    async hiddenFrom(userId: number | undefined): Promise<Set<number>> {
      if (userId === undefined) return new Set();
      const eitherDirection = { $or: [{ userId }, { blockedId: userId }], active: true };
      const blocks = await Blocks.find(eitherDirection, { userId: 1, blockedId: 1 }).lean();
      return new Set(blocks.map((block) => (block.userId === userId ? block.blockedId : block.userId)));
    },

    async isBlockedBetween(one: number, other: number): Promise<boolean> {
      return (await blockersAmong(one, other)).size > 0;
    },

    blockersAmong,

    async hasBlocked(userId: number, blockedId: number): Promise<boolean> {
      return (await Blocks.exists({ userId, blockedId, active: true })) !== null;
    },
  };
}
