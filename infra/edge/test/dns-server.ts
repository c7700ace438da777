import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const headerBytes = 12;
/** Flags of a response to a recursive query, with recursion available. */
const responseFlags = 0x8180;
/** A pointer to the name in the question, which follows the header. */
const sameName = 0xc000 + headerBytes;
const typeA = 1;
const classIn = 1;

function responseTo(query: Buffer, addresses: readonly string[]): Buffer {
  const nameEnds = query.indexOf(0, headerBytes) + 1;
  const question = query.subarray(headerBytes, nameEnds + 4);
  const found = query.readUInt16BE(nameEnds) === typeA ? addresses : [];
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  for (const [n, word] of [responseFlags, 1, found.length].entries()) header.writeUInt16BE(word, 2 + 2 * n);
  const records = found.map((address) => {
    const record = Buffer.alloc(headerBytes);
    for (const [n, word] of [sameName, typeA, classIn, 0, 0, 4].entries()) record.writeUInt16BE(word, 2 * n);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([header, question, ...records]);
}

/** Starts a DNS server like that of Docker: every name resolves to the current addresses. */
export async function startDnsServer() {
  const socket = createSocket('udp4');
  const server = { address: '', addresses: [] as string[], close: () => void socket.close() };
  socket.on('message', (query, { port, address }) => {
    socket.send(responseTo(query, server.addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}
