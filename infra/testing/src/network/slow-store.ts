import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a store that can be made slow. */
export interface SlowStore {
  /** The store's URL with the proxy's host and port. */
  address: string;
  /** Passes on so many commands a second, one after the other, of all connections; all at once by default. */
  setRate(commandsPerSecond?: number): void;
  /** Loses the next command that contains a text: it gets no answer. */
  loseNext(text: string): void;
  /** How many commands were passed on. */
  commands(): number;
  stop(): void;
}

const tickMs = 10;

/** The first complete message of MongoDB's wire protocol, which begins with its length in bytes. */
const firstMessage = (bytes: Buffer): Buffer | undefined => {
  const length = bytes.length < 4 ? Number.POSITIVE_INFINITY : bytes.readInt32LE(0);
  return bytes.length < length ? undefined : bytes.subarray(0, length);
};

/** Starts a proxy that a store's clients connect to. Responses pass at once; commands wait for their turn. */
export async function startSlowStore(storeAddress: string): Promise<SlowStore> {
  const target = new URL(storeAddress);
  const sockets = new Set<Socket>();
  const waiting: { message: Buffer; upstream: Socket }[] = [];
  let commandsPerSecond = Number.POSITIVE_INFINITY;
  let credit = 0;
  let count = 0;
  let lost: string | undefined;

  const passOn = (max: number) => {
    for (const { message, upstream } of waiting.splice(0, max)) {
      count += 1;
      if (upstream.writable) upstream.write(message);
    }
  };
  const timer = setInterval(() => {
    credit = Math.min(commandsPerSecond, credit + (commandsPerSecond * tickMs) / 1_000);
    passOn(Math.floor(credit));
    credit = waiting.length ? credit % 1 : Math.min(credit, 1);
  }, tickMs);

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    upstream.pipe(client);
    let received = Buffer.alloc(0);
    client.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (let message = firstMessage(received); message; message = firstMessage(received)) {
        received = received.subarray(message.length);
        if (lost !== undefined && message.includes(lost)) lost = undefined;
        else waiting.push({ message, upstream });
      }
      if (commandsPerSecond === Number.POSITIVE_INFINITY) passOn(waiting.length);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const address = new URL(storeAddress);
  address.hostname = '127.0.0.1';
  address.port = String((server.address() as AddressInfo).port);
  return {
    address: address.href,
    setRate(rate = Number.POSITIVE_INFINITY) {
      commandsPerSecond = rate;
      credit = 0;
      if (rate === Number.POSITIVE_INFINITY) passOn(waiting.length);
    },
    loseNext(text) {
      lost = text;
    },
    commands: () => count,
    stop() {
      clearInterval(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
