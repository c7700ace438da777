import { serialize } from 'bson';
import { ServerError } from './errors.ts';
import { type Doc, decode, put } from './values.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const MAX_MESSAGE = 48_000_000;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;

/** A request to run, or the error to answer it with. `silent` when the client wants no answer. */
export type Request = { id: number; legacy: boolean; silent: boolean; command: Doc | ServerError };

/** Something that is not this protocol: the connection cannot go on. */
export class ProtocolError extends Error {}

/** Cuts a stream of bytes into messages. */
export async function* frames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted = 4;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const bytes: Buffer = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
      const length = bytes.readInt32LE(0);
      if (length < HEADER + 5 || length > MAX_MESSAGE)
        throw new ProtocolError(`a message of ${length} bytes`);
      const whole = size >= length;
      if (whole) yield bytes.subarray(0, length);
      parts = [whole ? bytes.subarray(length) : bytes];
      size = whole ? size - length : size;
      wanted = whole ? 4 : length;
    }
  }
}

function cstring(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0, from);
  if (end < 0) throw new ProtocolError('a string without an end');
  return bytes.toString('utf8', from, end);
}

function document(bytes: Buffer, from: number): { doc: Doc; end: number } {
  if (from + 5 > bytes.length) throw new ProtocolError('a document beyond the end of the message');
  const end = from + bytes.readInt32LE(from);
  if (end < from + 5 || end > bytes.length)
    throw new ProtocolError('a document beyond the end of the message');
  return { doc: decode(bytes.subarray(from, end)), end };
}

/** Reads a message. A bad document can be answered; a bad frame is a ProtocolError. */
export function parse(bytes: Buffer): Request {
  const id = bytes.readInt32LE(4);
  const code = bytes.readInt32LE(12);
  if (code !== OP_MSG && code !== OP_QUERY) throw new ProtocolError(`opcode ${code}`);
  const legacy = code === OP_QUERY;
  const flags = bytes.readUInt32LE(HEADER);
  const silent = !legacy && (flags & MORE_TO_COME) !== 0;
  try {
    return { id, legacy, silent, command: legacy ? parseQuery(bytes) : parseMessage(bytes, flags) };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const known =
      error instanceof ServerError ? error : new ServerError(22, `invalid BSON: ${String(error)}`);
    return { id, legacy, silent, command: known };
  }
}

function parseMessage(bytes: Buffer, flags: number): Doc {
  if (flags & 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME)) throw new ProtocolError(`flags ${flags}`);
  const end = flags & CHECKSUM_PRESENT ? bytes.length - 4 : bytes.length;
  const body = bytes.subarray(0, end);
  let command: Doc | undefined;
  const sequences: [string, Doc[]][] = [];
  let at = HEADER + 4;
  while (at < end) {
    const kind = body[at++];
    if (kind === 0) {
      if (command) throw new ProtocolError('two bodies');
      const found = document(body, at);
      command = found.doc;
      at = found.end;
    } else if (kind === 1) {
      if (at + 4 > end) throw new ProtocolError('a sequence beyond the end of the message');
      const stop = at + body.readInt32LE(at);
      if (stop > end || stop < at + 5) throw new ProtocolError('a sequence beyond the end of the message');
      const name = cstring(body.subarray(0, stop), at + 4);
      const docs: Doc[] = [];
      at += 4 + Buffer.byteLength(name) + 1;
      while (at < stop) {
        const found = document(body.subarray(0, stop), at);
        docs.push(found.doc);
        at = found.end;
      }
      sequences.push([name, docs]);
    } else throw new ProtocolError(`a section of kind ${kind}`);
  }
  if (!command) throw new ProtocolError('no body');
  for (const [name, docs] of sequences) {
    if (Object.hasOwn(command, name)) throw new ProtocolError(`${name} is there twice`);
    put(command, name, docs);
  }
  return command;
}

function parseQuery(bytes: Buffer): Doc {
  const namespace = cstring(bytes, HEADER + 4);
  const { doc } = document(bytes, HEADER + 4 + Buffer.byteLength(namespace) + 1 + 8);
  if (!namespace.endsWith('.$cmd'))
    throw new ServerError(352, 'OP_QUERY is only supported for the first hello');
  return { ...doc, $db: namespace.slice(0, -5) };
}

let lastId = 0;

/** Writes the answer to a message. */
export function reply(to: { id: number; legacy: boolean }, doc: Doc): Buffer {
  const body = serialize(doc);
  const extra = to.legacy ? 20 : 5;
  const bytes = Buffer.alloc(HEADER + extra + body.length);
  lastId = (lastId + 1) & 0x7fffffff;
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(lastId, 4);
  bytes.writeInt32LE(to.id, 8);
  bytes.writeInt32LE(to.legacy ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY ends with the number of documents; OP_MSG has the kind of its one section.
  if (to.legacy) bytes.writeInt32LE(1, HEADER + 16);
  bytes.set(body, HEADER + extra);
  return bytes;
}
