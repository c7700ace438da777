import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to servers that a test can cut and mend. */
export interface Way {
  /** The server's, but at this machine and the way's own port. */
  address: string;
  /** Ends what goes over it, and lets nothing over it until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a way: to one server, or in turn to several that stand for each other. They may come only later. */
export async function breakableWay(
  addresses: string | readonly [string, ...string[]],
  { host = '127.0.0.1' }: { host?: string } = {},
): Promise<Way> {
  const [first, ...others] = typeof addresses === 'string' ? [addresses] : addresses;
  const targets = [first, ...others].map((address) => new URL(address));
  const open = new Set<Socket>();
  let server: Server | undefined;
  let turn = 0;

  /** A connection to the next of them that takes one. */
  const onwardFrom = async (): Promise<Socket | undefined> => {
    for (let tries = 0; tries < targets.length; tries++) {
      const target = targets[turn++ % targets.length];
      const onward = connect(Number(target?.port), target?.hostname);
      try {
        await once(onward, 'connect');
        return onward;
      } catch {
        // It is not there just now.
      }
    }
    return undefined;
  };

  const carry = async (socket: Socket): Promise<void> => {
    open.add(socket);
    socket.on('error', () => {});
    const onward = await onwardFrom();
    if (!onward || socket.destroyed) {
      open.delete(socket.destroy());
      onward?.destroy();
      return;
    }
    open.add(onward.on('error', () => {}));
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      end.pipe(other);
      end.once('close', () => {
        open.delete(end);
        other.destroy();
      });
    }
  };

  const listen = async (port: number): Promise<number> => {
    server = createServer((socket) => void carry(socket)).listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const port = await listen(0);
  const url = new URL(first);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    address: url.href,
    async cut() {
      const closed = server && once(server, 'close');
      server?.close();
      server = undefined;
      for (const socket of open) socket.destroy();
      await closed;
    },
    async mend() {
      if (!server) await listen(port);
    },
  };
}
