import { calculateObjectSize, Long } from 'bson';
import { ServerError } from './errors.ts';
import type { Doc } from './values.ts';

const FIRST_BATCH = 101;
const BATCH_BYTES = 16 * 1024 * 1024;
const IDLE_LIMIT = 10 * 60 * 1000;

type Cursor = { namespace: string; docs: Doc[]; at: number; used: number };

/** Results that clients have not read completely. Stored documents are immutable, so each is a snapshot. */
export class Cursors {
  readonly open = new Map<number, Cursor>();
  #next = Math.floor(Math.random() * 2 ** 31) + 1;

  /** The first batch of a result, for `find` and `aggregate`. */
  first(namespace: string, docs: Doc[], batchSize = FIRST_BATCH, single = false): Doc {
    const cursor = { namespace, docs, at: 0, used: Date.now() };
    const firstBatch = take(cursor, batchSize);
    const id = cursor.at < docs.length && !single ? this.#next++ : 0;
    if (id > 0) this.open.set(id, cursor);
    return { cursor: { firstBatch, id: Long.fromNumber(id), ns: namespace } };
  }

  /** The next batch of a result. */
  next(id: number, namespace: string, batchSize = Infinity): Doc {
    const cursor = this.open.get(id);
    if (cursor?.namespace !== namespace) throw new ServerError(43, `cursor id ${id} not found`);
    cursor.used = Date.now();
    const nextBatch = take(cursor, batchSize || Infinity);
    const done = cursor.at >= cursor.docs.length;
    if (done) this.open.delete(id);
    return { cursor: { nextBatch, id: Long.fromNumber(done ? 0 : id), ns: namespace } };
  }

  /** Closes cursors that were not used for a while. */
  sweep(now = Date.now()): void {
    for (const [id, { used }] of this.open) if (now - used > IDLE_LIMIT) this.open.delete(id);
  }
}

/** Takes as many documents as fit into a message; a single one of any size. */
function take(cursor: Cursor, most: number): Doc[] {
  const batch = cursor.docs.slice(cursor.at, cursor.at + most);
  let bytes = 0;
  const tooMuch = batch.findIndex((doc, i) => {
    bytes += batch.length > 1 ? calculateObjectSize(doc) + 16 : 0;
    return i > 0 && bytes > BATCH_BYTES;
  });
  const taken = tooMuch < 0 ? batch : batch.slice(0, tooMuch);
  cursor.at += taken.length;
  return taken;
}
