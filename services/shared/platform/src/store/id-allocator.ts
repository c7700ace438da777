import { type Connection, Schema } from 'mongoose';

/** Key of a pair of accounts, independent of their order. */
export const pairKey = (one: number, other: number): string =>
  `${Math.min(one, other)}:${Math.max(one, other)}`;

const counterSchema = new Schema({
  _id: { type: String, required: true },
  next: { type: Number, required: true },
});
counterSchema.set('shardKey', { _id: 'hashed' });

const blockSize = 50;

export interface IdAllocator {
  /** Returns the next id of a sequence: unique among all instances, increasing within each, never reused. */
  next(sequence: string): Promise<number>;
}

/** Allocates ids from blocks that each instance reserves, so that most ids need no call to the store. */
export function createIdAllocator(connection: Connection): IdAllocator {
  const Counter = connection.model('Counter', counterSchema, 'counters');
  const blocks = new Map<string, { next: number; end: number }>();
  const reservations = new Map<string, Promise<void>>();

  const reserve = async (sequence: string) => {
    const counter = await Counter.findOneAndUpdate(
      { _id: sequence },
      { $inc: { next: blockSize } },
      { upsert: true, returnDocument: 'after' },
    ).lean();
    blocks.set(sequence, { next: counter.next - blockSize + 1, end: counter.next });
  };

  return {
    async next(sequence) {
      for (;;) {
        const block = blocks.get(sequence);
        if (block && block.next <= block.end) return block.next++;
        const reservation =
          reservations.get(sequence) ?? reserve(sequence).finally(() => reservations.delete(sequence));
        reservations.set(sequence, reservation);
        await reservation;
      }
    },
  };
}
