import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';

/** What stands between a bus and its broker, and does to its connections what a network or a broker may do. */
export interface AmqpProxy {
  url: string;
  /** Provokes what closes a channel: an acknowledgement of what was never delivered, on every connection there is. */
  closeChannels(): void;
  /** Cuts every connection without a word. */
  cut(): void;
  /** Whether a confirm of the broker gets through; asked for each. All do if not said. */
  letConfirmThrough: (deliveryTag: number) => boolean;
  close(): Promise<void>;
}

const headerBytes = 8;
const methodFrame = 1;
const basicAck = (60 << 16) + 80;

/** A frame is its type, its channel, the size of what it holds, that, and an end mark. */
function* framesOf(buffer: Buffer): Generator<Buffer> {
  let rest = buffer;
  while (rest.length >= 8) {
    const size = rest.readUInt32BE(3) + 8;
    if (rest.length < size) return;
    yield rest.subarray(0, size);
    rest = rest.subarray(size);
  }
}

const isMethod = (frame: Buffer, method: number) =>
  frame[0] === methodFrame && frame.readUInt32BE(7) === method;

const badAcknowledgement = () => {
  const frame = Buffer.alloc(21);
  frame.writeUInt8(methodFrame, 0);
  frame.writeUInt16BE(1, 1);
  frame.writeUInt32BE(13, 3);
  frame.writeUInt32BE(basicAck, 7);
  frame.writeBigUInt64BE(999_999_999n, 11);
  frame.writeUInt8(0xce, 20);
  return frame;
};

export async function startAmqpProxy(target: string): Promise<AmqpProxy> {
  const broker = new URL(target);
  const pairs = new Set<{ client: Socket; server: Socket; pending: Buffer }>();

  const proxy = createServer((client) => {
    const server = dial(Number(broker.port), broker.hostname);
    const pair = { client, server, pending: Buffer.alloc(0) };
    pairs.add(pair);
    let greeted = false;
    let incoming = Buffer.alloc(0);
    client.on('data', (chunk) => {
      pair.pending = Buffer.concat([pair.pending, chunk]);
      if (!greeted && pair.pending.length >= headerBytes) {
        greeted = true;
        server.write(pair.pending.subarray(0, headerBytes));
        pair.pending = pair.pending.subarray(headerBytes);
      }
      // Whole frames only, so that one can be put between two of them.
      if (!greeted) return;
      for (const frame of framesOf(pair.pending)) {
        server.write(frame);
        pair.pending = pair.pending.subarray(frame.length);
      }
    });
    server.on('data', (chunk) => {
      incoming = Buffer.concat([incoming, chunk]);
      for (const frame of framesOf(incoming)) {
        incoming = incoming.subarray(frame.length);
        const kept = isMethod(frame, basicAck) && !self.letConfirmThrough(Number(frame.readBigUInt64BE(11)));
        if (!kept) client.write(frame);
      }
    });
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));

  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  const self: AmqpProxy = {
    url: url.href,
    closeChannels() {
      for (const { server } of pairs) server.write(badAcknowledgement());
    },
    cut() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
    },
    letConfirmThrough: () => true,
    close: () =>
      new Promise((resolve) => {
        self.cut();
        proxy.close(() => resolve());
      }),
  };
  return self;
}
