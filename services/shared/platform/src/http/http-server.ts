import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Accepts no new connections and waits for calls in progress; after `graceMs` the remaining connections are closed.
   */
  stop(): Promise<void>;
}

/** Longer than the gateway's idle timeout, so that the service never closes a connection first. */
const keepAliveMs = 65_000;
const graceMs = 7_000;
const idleCheckMs = 50;

/** Listens; port 0 picks a free one. */
export async function listen(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<RunningServer> {
  const server = createServer(
    { keepAliveTimeout: keepAliveMs, headersTimeout: 30_000, requestTimeout: 60_000 },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async stop() {
      const forceCloseTimer = setTimeout(() => server.closeAllConnections(), graceMs);
      // A kept-alive connection would keep the server from closing.
      const closeIdle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(closeIdle);
      clearTimeout(forceCloseTimer);
    },
  };
}
