import { socketClientOptions } from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';

/** The sockets, in their own process, so that they do not slow down the measurement. */
const Order = z.discriminatedUnion('what', [
  z.object({ what: z.literal('open'), url: z.string(), tokens: z.array(z.string()) }),
  z.object({ what: z.literal('drop') }),
]);
const concurrency = 50;
const sockets: Socket[] = [];

const connected = (socket: Socket) => new Promise<void>((resolve) => socket.once('connect', resolve));

async function open(url: string, tokens: string[]): Promise<void> {
  const pending = tokens.values();
  const lane = async () => {
    for (const token of pending) {
      const socket = io(url, {
        ...socketClientOptions,
        transports: ['websocket'],
        auth: { token },
        forceNew: true,
      });
      sockets.push(socket);
      await connected(socket);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

/**
 * Drops all connections at the same time, and reconnects as a browser does; returns the milliseconds until each one was
 * connected again.
 */
async function drop(): Promise<number[]> {
  const began = performance.now();
  const back = sockets.map(async (socket) => {
    const again = connected(socket);
    socket.io.engine.close();
    await again;
    return performance.now() - began;
  });
  return Promise.all(back);
}

process.on('message', async (message) => {
  const order = Order.parse(message);
  if (order.what === 'open') await open(order.url, order.tokens);
  process.send?.({ times: order.what === 'drop' ? await drop() : [] });
});
process.on('disconnect', () => process.exit());
