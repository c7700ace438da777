import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A proxy between a bus and its broker that simulates failures of the network and the broker. */
export interface AmqpProxy {
  url: string;
  /** Makes the broker close the channel of every connection, by acknowledging a message that was never delivered. */
  closeChannels(): void;
  /** Closes every connection without an AMQP close. */
  cut(): void;
  /** Whether a publisher confirm is forwarded; called for each. By default all are. */
  forwardConfirm: (deliveryTag: number) => boolean;
  close(): Promise<void>;
}

const headerBytes = 8;
const methodFrame = 1;
const basicAck = (60 << 16) + 80;

/** Splits a buffer into frames: type (1 byte), channel (2), payload size (4), payload, end mark (1). */
function* framesOf(buffer: Buffer): Generator<Buffer> {
  let remaining = buffer;
  while (remaining.length >= 8) {
    const size = remaining.readUInt32BE(3) + 8;
    if (remaining.length < size) return;
    yield remaining.subarray(0, size);
    remaining = remaining.subarray(size);
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
    let headerSent = false;
    let incoming = Buffer.alloc(0);
    client.on('data', (chunk) => {
      pair.pending = Buffer.concat([pair.pending, chunk]);
      if (!headerSent && pair.pending.length >= headerBytes) {
        headerSent = true;
        server.write(pair.pending.subarray(0, headerBytes));
        pair.pending = pair.pending.subarray(headerBytes);
      }
      // Forwards complete frames only, so that one can be inserted between two of them.
      if (!headerSent) return;
      for (const frame of framesOf(pair.pending)) {
        server.write(frame);
        pair.pending = pair.pending.subarray(frame.length);
      }
    });
    server.on('data', (chunk) => {
      incoming = Buffer.concat([incoming, chunk]);
      for (const frame of framesOf(incoming)) {
        incoming = incoming.subarray(frame.length);
        const isSuppressed =
          isMethod(frame, basicAck) && !self.forwardConfirm(Number(frame.readBigUInt64BE(11)));
        if (!isSuppressed) client.write(frame);
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
    forwardConfirm: () => true,
    close: () =>
      new Promise((resolve) => {
        self.cut();
        proxy.close(() => resolve());
      }),
  };
  return self;
}
