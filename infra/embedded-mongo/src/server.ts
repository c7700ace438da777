import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { runCommand } from './commands/run.ts';
import { Cursors } from './cursors.ts';
import { Engine } from './engine.ts';
import { ServerError } from './errors.ts';
import { Storage } from './storage.ts';
import type { Doc } from './values.ts';
import { frames, ProtocolError, parse, type Request, reply } from './wire.ts';

const SWEEP_EVERY = 30_000;
const OUT_OF_DISK_SPACE = 14031;

/** What the server tells about itself; pino's loggers fit. */
export type Logger = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

export type Options = {
  /** Where the data is kept; made when it does not exist. */
  directory: string;
  /** The port on 127.0.0.1; 0, which is the default, takes a free one. */
  port?: number;
  /** Bytes that have to stay free on the disk, below which writes are refused; 64 MiB by default. */
  diskFreeLimit?: number;
  /** A unix socket to listen on beside the port. */
  socketPath?: string;
  logger?: Logger;
};

export type EmbeddedMongo = { url: string; port: number; stop(): Promise<void> };

/** Opens a folder and serves it with MongoDB's wire protocol. */
export async function startEmbeddedMongo(options: Options): Promise<EmbeddedMongo> {
  const storage = new Storage(options.directory, options.diskFreeLimit);
  try {
    return await serve(storage, options);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function serve(storage: Storage, options: Options): Promise<EmbeddedMongo> {
  const { directory, socketPath, logger } = options;
  const engine = new Engine(storage);
  const cursors = new Cursors();
  const started = new Date();
  const sockets = new Set<Socket>();
  const busy = new Set<Promise<void>>();
  let connections = 0;
  let stopping = false;

  /** The answer to a command that failed. */
  const describe = (error: unknown): Doc => {
    const known = error instanceof ServerError ? error : new ServerError(1, String(error));
    if (known !== error || known.code === OUT_OF_DISK_SPACE)
      logger?.error({ err: error }, 'a command failed');
    return { ok: 0, errmsg: known.message, code: known.code, codeName: known.codeName, ...known.extra };
  };

  const answerTo = async (request: Request, connection: number): Promise<Buffer> => {
    try {
      if (request.command instanceof ServerError) throw request.command;
      return reply(request, await runCommand({ engine, cursors, connection, started }, request.command));
    } catch (error) {
      return reply(request, describe(error));
    }
  };

  /** Answers the messages of a connection, one after the other. */
  async function converse(socket: Socket): Promise<void> {
    const connection = ++connections;
    for await (const bytes of frames(socket)) {
      const request = parse(bytes);
      const answer = await answerTo(request, connection);
      if (!request.silent && !socket.destroyed && !socket.write(answer)) await once(socket, 'drain');
      if (stopping) return;
    }
  }

  const accept = (socket: Socket) => {
    socket.on('error', () => {});
    // Nobody is left to make room for an answer that waits for it.
    socket.on('close', () => socket.emit('drain'));
    sockets.add(socket);
    const served = converse(socket)
      .catch((error: unknown) => {
        if (error instanceof ProtocolError) logger?.warn({ reason: error.message }, 'closed a connection');
      })
      .finally(() => {
        sockets.delete(socket);
        busy.delete(served);
        socket.destroy();
      });
    busy.add(served);
  };
  const onPort = createServer({ noDelay: true }, accept);
  const onSocket = createServer(accept);
  const listening: Server[] = [];
  try {
    await once(onPort.listen(options.port ?? 0, '127.0.0.1'), 'listening');
    listening.push(onPort);
    if (socketPath) {
      rmSync(socketPath, { force: true });
      await once(onSocket.listen(socketPath), 'listening');
      listening.push(onSocket);
    }
  } catch (error) {
    for (const server of listening) server.close();
    throw error;
  }
  const address = onPort.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const sweeper = setInterval(() => {
    cursors.sweep();
    engine.sweep();
  }, SWEEP_EVERY).unref();
  logger?.info(
    { directory, port, socketPath, collections: engine.collections.size },
    'embedded mongo is ready',
  );

  return {
    url: `mongodb://127.0.0.1:${port}`,
    port,
    async stop() {
      stopping = true;
      clearInterval(sweeper);
      for (const server of listening) server.close();
      await storage.flushed().catch(() => {});
      for (const socket of sockets) socket.destroySoon();
      await Promise.all(busy);
      await storage.close();
    },
  };
}
