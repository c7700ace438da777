import { socketClientOptions } from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';

/** The sockets of a herd, in a process of their own, so that who measures is not held up by them. */
const Order = z.discriminatedUnion('what', [
  z.object({ what: z.literal('open'), url: z.string(), tokens: z.array(z.string()) }),
  z.object({ what: z.literal('drop') }),
]);
const atOnce = 50;
const sockets: Socket[] = [];

const connected = (socket: Socket) => new Promise<void>((resolve) => socket.once('connect', resolve));

async function open(url: string, tokens: string[]): Promise<void> {
  const waiting = tokens.values();
  const lane = async () => {
    for (const token of waiting) {
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
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** All lose their connection in the same moment, and come back as a browser does; answers after how many ms each was. */
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
