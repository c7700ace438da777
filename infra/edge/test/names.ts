import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const headerBytes = 12;
/** A response, to a question that wanted recursion, which is there. */
const answered = 0x8180;
/** The name that was asked for, which stands behind the header. */
const sameName = 0xc000 + headerBytes;
const typeA = 1;
const classIn = 1;

function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const nameEnds = query.indexOf(0, headerBytes) + 1;
  const question = query.subarray(headerBytes, nameEnds + 4);
  const found = query.readUInt16BE(nameEnds) === typeA ? addresses : [];
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  for (const [n, word] of [answered, 1, found.length].entries()) header.writeUInt16BE(word, 2 + 2 * n);
  const records = found.map((address) => {
    const record = Buffer.alloc(headerBytes);
    for (const [n, word] of [sameName, typeA, classIn, 0, 0, 4].entries()) record.writeUInt16BE(word, 2 * n);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([header, question, ...records]);
}

/** Names as Docker has them: whatever is asked for stands for the addresses that are there now. */
export async function startNames() {
  const socket = createSocket('udp4');
  const names = { address: '', there: [] as string[], close: () => void socket.close() };
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, names.there), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  names.address = `127.0.0.1:${socket.address().port}`;
  return names;
}
