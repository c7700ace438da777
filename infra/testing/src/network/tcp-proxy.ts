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
  const open = new Set<Socket>();
  let server: Server | undefined;
  let turn = 0;

  /** Connects to the next server that accepts a connection. */
  const onwardFrom = async (): Promise<Socket | undefined> => {
    for (let tries = 0; tries < targets.length; tries++) {
      const target = targets[turn++ % targets.length];
      const onward = connect(Number(target?.port), target?.hostname);
      try {
        await once(onward, 'connect');
        return onward;
      } catch {
        // It does not listen now.
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
    async disconnect() {
      const closed = server && once(server, 'close');
      server?.close();
      server = undefined;
      for (const socket of open) socket.destroy();
      await closed;
    },
    async reconnect() {
      if (!server) await listen(port);
    },
  };
}
