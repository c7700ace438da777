import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { runCommand } from './commands/run.ts';
import { Cursors } from './cursors.ts';
import { Engine } from './engine.ts';
import { ServerError } from './errors.ts';
import { Storage } from './storage.ts';
import type { Doc } from './values.ts';
import { frames, ProtocolError, parse, reply } from './wire.ts';

/** The logger's interface; pino's loggers are compatible. */
export type Logger = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>;

export type Options = {
  /** The folder of the data; created if it does not exist. */
  directory: string;
  /** The port on 127.0.0.1; 0, or no value without a socket, picks a free one. */
  port?: number;
  /** Minimum free space of the disk in bytes, below which writes are rejected; 64 MiB by default. */
  diskFreeLimit?: number;
  /** False for a temporary store: writes are acknowledged before they are on the disk. True by default. */
  durable?: boolean;
  /** A unix socket to listen on, in addition to a given port or instead of one. */
  socketPath?: string;
  logger?: Logger;
  /**
   * As MongoDB's parameter `notablescan`: rejects queries without an index, with code 291, unless the filter is empty.
   */
  noTableScan?: boolean;
};

/** `port` is 0 if it only listens on a socket. */
export type EmbeddedMongo = { url: string; port: number; stop(): Promise<void> };

/** Opens a folder and serves it with MongoDB's wire protocol. */
export async function startEmbeddedMongo(options: Options): Promise<EmbeddedMongo> {
  const { directory, socketPath, logger } = options;
  const storage = new Storage(directory, options.diskFreeLimit, options.durable);
  const servers: Server[] = [];
  const connections = new Map<Socket, Promise<void>>();
  let stopping = false;

  const close = async () => {
    for (const server of servers) server.close();
    await storage.flushed().catch(() => {});
    for (const socket of connections.keys()) socket.destroySoon();
    await Promise.all(connections.values());
    await storage.close();
  };

  try {
    const [engine, cursors] = [new Engine(storage, options.noTableScan), new Cursors()];

    /** The response to a failed command. */
    const describe = (error: unknown): Doc => {
      const { code, message, extra } =
        error instanceof ServerError ? error : new ServerError(1, String(error));
      if (code === 1 || code === 14031) logger?.error({ err: error }, 'a command failed');
      return { ok: 0, errmsg: message, code, ...extra };
    };

    /** Responds to the messages of a connection, one after the other. */
    const serveConnection = async (socket: Socket): Promise<void> => {
      for await (const bytes of frames(socket)) {
        const request = parse(bytes);
        let response: Buffer;
        try {
          response = reply(request, await runCommand({ engine, cursors }, request.read()));
        } catch (error) {
          if (error instanceof ProtocolError) throw error;
          response = reply(request, describe(error));
        }
        if (!request.silent && !socket.destroyed && !socket.write(response)) await once(socket, 'drain');
        if (stopping) return;
      }
    };

    const accept = (socket: Socket) => {
      socket.on('error', () => {});
      // A response that waits for the socket to drain must not wait forever.
      socket.on('close', () => socket.emit('drain'));
      const ended = serveConnection(socket)
        .catch((error: unknown) => {
          if (error instanceof ProtocolError) logger?.warn({ reason: error.message }, 'closed a connection');
        })
        .finally(() => {
          connections.delete(socket);
          socket.destroy();
        });
      connections.set(socket, ended);
    };

    const listen = async (where: ListenOptions) => {
      const server = createServer({ noDelay: true }, accept).listen(where);
      await once(server, 'listening');
      servers.push(server);
      return server.address();
    };

    if (socketPath) {
      rmSync(socketPath, { force: true });
      await listen({ path: socketPath });
    }
    const listensOnPort = options.port !== undefined || !socketPath;
    const address = listensOnPort ? await listen({ port: options.port ?? 0, host: '127.0.0.1' }) : null;
    const port = typeof address === 'object' && address ? address.port : 0;
    const sweeper = setInterval(() => {
      cursors.sweep();
      engine.sweep();
      storage.flushed().catch((err) => logger?.error({ err }, 'what is past its time could not be removed'));
    }, 30_000).unref();
    logger?.info({ directory, port, socketPath }, 'embedded mongo is ready');

    return {
      url: `mongodb://${port || !socketPath ? `127.0.0.1:${port}` : encodeURIComponent(socketPath)}`,
      port,
      stop() {
        stopping = true;
        clearInterval(sweeper);
        return close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
