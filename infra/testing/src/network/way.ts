import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that a test can cut and mend. */
export async function breakableWay(address: string) {
  const target = new URL(address);
  const open = new Set<Socket>();
  let server: Server | undefined;

  const listen = async (port: number): Promise<number> => {
    server = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname);
      for (const [end, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        open.add(end);
        end.pipe(other);
        end.on('error', () => {});
        end.once('close', () => {
          open.delete(end);
          other.destroy();
        });
      }
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const port = await listen(0);
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = async () => {
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of open) socket.destroy();
    await closed;
    server = undefined;
  };
  return { address: url.href, cut, mend: () => listen(port) };
}
