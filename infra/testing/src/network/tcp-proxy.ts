import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that a test can disconnect and reconnect. */
export interface TcpProxy {
  /** The server's URL with the proxy's host and port. */
  address: string;
  /** Closes its connections, and refuses new ones until it is reconnected. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
}

/** Starts a proxy to one server, or to several replicas in turn. They need not listen yet. */
export async function createTcpProxy(
  addresses: string | readonly [string, ...string[]],
  { host = '127.0.0.1' }: { host?: string } = {},
): Promise<TcpProxy> {
  const [first, ...others] = typeof addresses === 'string' ? [addresses] : addresses;
  const targets = [first, ...others].map((address) => new URL(address));
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let nextTarget = 0;

  /** Connects to the next server that accepts a connection. */
  const connectToTarget = async (): Promise<Socket | undefined> => {
    for (let attempt = 0; attempt < targets.length; attempt++) {
      const target = targets[nextTarget++ % targets.length];
      const upstream = connect(Number(target?.port), target?.hostname);
      try {
        await once(upstream, 'connect');
        return upstream;
      } catch {
        // It does not listen now.
      }
    }
    return undefined;
  };

  const forward = async (socket: Socket): Promise<void> => {
    sockets.add(socket);
    socket.on('error', () => {});
    const upstream = await connectToTarget();
    if (!upstream || socket.destroyed) {
      sockets.delete(socket.destroy());
      upstream?.destroy();
      return;
    }
    sockets.add(upstream.on('error', () => {}));
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      end.pipe(other);
      end.once('close', () => {
        sockets.delete(end);
        other.destroy();
      });
    }
  };

  const listen = async (port: number): Promise<number> => {
    server = createServer((socket) => void forward(socket)).listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const port = await listen(0);
  const url = new URL(first);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    address: url.href,
    async disconnect() {
      const closed = server && once(server, 'close');
      server?.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async reconnect() {
      if (!server) await listen(port);
    },
  };
}
