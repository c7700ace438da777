import type { PublicUser } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { limits, Problem } from '@wayquest/platform/core';
import { addOutbox, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ReplayRecord, ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import { type Connection, Schema } from 'mongoose';
import type { People } from './people.ts';

/** A block of one person by another, or a lifted one. */
interface BlockDocument extends WithOutbox {
  _id: number;
  userId: number;
  blockedId: number;
  /** A lifted block is kept, so that its version continues. */
  active: boolean;
  version: number;
}

const schema = new Schema<BlockDocument>({
  _id: { type: Number, required: true },
  userId: { type: Number, required: true },
  blockedId: { type: Number, required: true },
  active: { type: Boolean, required: true },
  version: { type: Number, required: true },
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ userId: 1, blockedId: 1 }, { unique: true });
schema.index({ blockedId: 1 });

export const blockModel = (connection: Connection) =>
  connection.model<BlockDocument>('Block', schema, 'blocks');

/** Maximum number of blocks of a person: lists exclude each of them by id. */
const { max: maxBlocks, detail: tooManyBlocks } = limits.blocks;

type StoredBlock = Omit<BlockDocument, 'outbox'>;

const blockEventOf = ({ _id: blockId, userId, blockedId, active, version }: StoredBlock, clock: Clock) =>
  newEvent(active ? 'user.blocked.v1' : 'user.unblocked.v1', { blockId, userId, blockedId, version }, clock);

/** The operations on blocks. The blocked person is not notified. */
export interface Blocks {
  /** Throws `invalid-request` and `user-not-found`. */
  block(blockedId: number, caller: Caller): Promise<void>;
  unblock(blockedId: number, caller: Caller): Promise<void>;
  /** People whom the caller has blocked. */
  list(caller: Caller): Promise<PublicUser[]>;
  /** Deletes a user's blocks, in both directions. */
  erase(userId: number): Promise<void>;
  /** Whether either of two people has blocked the other. */
  between(one: number, other: number): Promise<boolean>;
  /** The snapshot: all blocks as events, in the order of ids. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
}

/** Creates the store of who has blocked whom; every change publishes an event. */
export function createBlocks({
  kit: { connection, clock, ids, outboxes },
  people,
  changeLimiter,
}: {
  kit: ServiceKit;
  people: People;
  /** Counts changes, each of which several services receive. */
  changeLimiter: RateLimiter;
}): Blocks {
  const Blocks = blockModel(connection);
  const outbox = outboxes.forModel(Blocks);

  const isBlocked = async (userId: number, blockedId: number): Promise<boolean> =>
    (await Blocks.exists({ userId, blockedId, active: true })) !== null;

  /** Concurrent changes are applied one after another. */
  const set = (userId: number, blockedId: number, active: boolean): Promise<true> =>
    retryOnConflict(async () => {
      const existing = await Blocks.findOne({ userId, blockedId }, { outbox: 0 }).lean();
      if ((existing?.active ?? false) === active) return true;
      if (!existing) {
        const block = { _id: await ids.next('friend-request'), userId, blockedId, active, version: 1 };
        try {
          await outbox.create(block, [blockEventOf(block, clock)]);
        } catch (error) {
          if (isWriteConflict(error)) return undefined;
          throw error;
        }
        return true;
      }
      const { _id, version } = existing;
      const next = { ...existing, active, version: version + 1 };
      const { matchedCount } = await Blocks.updateOne(
        { _id, version },
        withEvents({ $set: { active, version: next.version } }, [blockEventOf(next, clock)], clock),
      );
      if (!matchedCount) return undefined;
      outbox.send(_id);
      return true;
    });

  return {
    async block(blockedId: number, caller: Caller): Promise<void> {
      if (blockedId === caller.id)
        throw new Problem('invalid-request', {
          errors: [{ field: 'userId', reason: 'cannot be yourself' }],
        });
      await people.assertExists(blockedId);
      if (await isBlocked(caller.id, blockedId)) return;
      if ((await Blocks.countDocuments({ userId: caller.id, active: true })) >= maxBlocks)
        throw new Problem('invalid-request', {
          errors: [{ field: 'userId', reason: tooManyBlocks(maxBlocks) }],
        });
      await changeLimiter.count(String(caller.id));
      await set(caller.id, blockedId, true);
    },

    async unblock(blockedId: number, caller: Caller): Promise<void> {
      if (!(await isBlocked(caller.id, blockedId))) return;
      await changeLimiter.count(String(caller.id));
      await set(caller.id, blockedId, false);
    },

    async list(caller: Caller): Promise<PublicUser[]> {
      const blocks = await Blocks.find({ userId: caller.id, active: true }, { blockedId: 1 })
        .sort({ _id: -1 })
        .lean();
      const users = await people.byIds(blocks.map(({ blockedId }) => blockedId));
      return blocks.flatMap(({ blockedId }) => users.get(blockedId) ?? []);
    },

    async erase(userId: number): Promise<void> {
      await Blocks.deleteMany({ $or: [{ userId }, { blockedId: userId }] });
    },

    async between(one: number, other: number): Promise<boolean> {
      const either = [
        { userId: one, blockedId: other },
        { userId: other, blockedId: one },
      ];
      return (await Blocks.exists({ $or: either, active: true })) !== null;
    },

    async *snapshot(after: number) {
      const all = Blocks.find({ _id: { $gt: after } }, { outbox: 0 }).sort({ _id: 1 });
      for await (const block of all.lean().cursor())
        yield { id: block._id, events: [blockEventOf(block, clock)] };
    },
  };
}
