import { serialize } from 'bson';
import { ServerError } from './errors.ts';
import { type Doc, decode, setField } from './values.ts';

const MAX_MESSAGE = 48_000_000;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const MORE_TO_COME = 2;

/** A request whose command is not decoded yet. `silent` if the client wants no response. */
export type Request = { id: number; legacy: boolean; silent: boolean; read: () => Doc };

/** Invalid protocol data: the connection has to be closed. */
export class ProtocolError extends Error {}

/** Splits a stream of bytes into messages. */
export async function* frames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let [size, bytesNeeded] = [0, 4];
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    while (size >= bytesNeeded) {
      const bytes: Buffer = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
      const length = bytes.readInt32LE(0);
      if (length < HEADER + 5 || length > MAX_MESSAGE) throw new ProtocolError(`${length} bytes announced`);
      const isComplete = size >= length;
      if (isComplete) yield bytes.subarray(0, length);
      parts = [isComplete ? bytes.subarray(length) : bytes];
      size = isComplete ? size - length : size;
      bytesNeeded = isComplete ? 4 : length;
    }
  }
}

/** Returns the part of a message that begins with its own length. */
function sized(bytes: Buffer, from: number, minLength: number): Buffer {
  const end = from + 4 <= bytes.length ? from + bytes.readInt32LE(from) : Number.NaN;
  if (end >= from + minLength && end <= bytes.length) return bytes.subarray(from, end);
  throw new ProtocolError('a part that goes beyond the end of the message');
}

function cstring(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0, from);
  if (end < 0) throw new ProtocolError('a string without an end');
  return bytes.toString('utf8', from, end);
}

/** Parses the header of a message. An invalid document gets an error response; an invalid frame is a ProtocolError. */
export function parse(bytes: Buffer): Request {
  const [id, code, flags] = [bytes.readInt32LE(4), bytes.readInt32LE(12), bytes.readUInt32LE(HEADER)];
  const legacy = code === OP_QUERY;
  if (code !== OP_MSG && !legacy) throw new ProtocolError(`opcode ${code}`);
  const silent = !legacy && (flags & MORE_TO_COME) !== 0;
  return { id, legacy, silent, read: () => (legacy ? parseQuery(bytes) : parseMessage(bytes, flags)) };
}

function parseMessage(bytes: Buffer, flags: number): Doc {
  if (flags & 0xffff & ~MORE_TO_COME) throw new ProtocolError(`flags ${flags}`);
  let command: Doc | undefined;
  const sequences: Buffer[] = [];
  for (let at = HEADER + 4; at < bytes.length; ) {
    const kind = bytes[at];
    const section = sized(bytes, at + 1, 5);
    at += 1 + section.length;
    if (kind === 0 && !command) command = decode(section);
    else if (kind === 1) sequences.push(section);
    else throw new ProtocolError(`a second body, or a section of kind ${kind}`);
  }
  if (!command) throw new ProtocolError('no body');
  for (const section of sequences) addSequence(command, section);
  return command;
}

function addSequence(command: Doc, section: Buffer): void {
  const name = cstring(section, 4);
  const docs: Doc[] = [];
  for (let at = 4 + Buffer.byteLength(name) + 1; at < section.length; ) {
    const bytes = sized(section, at, 5);
    docs.push(decode(bytes));
    at += bytes.length;
  }
  if (Object.hasOwn(command, name)) throw new ProtocolError(`${name} is there twice`);
  setField(command, name, docs);
}

/** The driver's first hello uses the legacy format, which supports nothing else. */
function parseQuery(bytes: Buffer): Doc {
  const namespace = cstring(bytes, HEADER + 4);
  if (!namespace.endsWith('.$cmd')) throw new ServerError(352, 'OP_QUERY is only for the first hello');
  const start = HEADER + 4 + Buffer.byteLength(namespace) + 1 + 8;
  const doc = decode(sized(bytes, start, 5));
  if (!/^(hello|ismaster)$/i.test(Object.keys(doc)[0] ?? ''))
    throw new ServerError(352, 'OP_QUERY is only for hello');
  return { ...doc, $db: namespace.slice(0, -'.$cmd'.length) };
}

/** Encodes the response to a message. */
export function reply(to: { id: number; legacy: boolean }, doc: Doc): Buffer {
  const body = serialize(doc);
  const extra = to.legacy ? 20 : 5;
  const bytes = Buffer.allocUnsafe(HEADER + extra + body.length).fill(0, 0, HEADER + extra);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(to.id, 8);
  bytes.writeInt32LE(to.legacy ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY ends with the number of documents; OP_MSG has the kind of its one section.
  if (to.legacy) bytes.writeInt32LE(1, HEADER + 16);
  bytes.set(body, HEADER + extra);
  return bytes;
}
