import { rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { runCommand } from './commands/run.ts';
import { Cursors } from './cursors.ts';
import { Engine } from './engine.ts';
import { ServerError } from './errors.ts';
import { isCommitError, Storage } from './storage.ts';
import type { Doc } from './values.ts';
import { frames, ProtocolError, parse, type Request, reply } from './wire.ts';

const SWEEP_EVERY = 30_000;

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
  /** A unix socket to listen on beside the port. */
  socketPath?: string;
  logger?: Logger;
};

export type EmbeddedMongo = { url: string; port: number; stop(): Promise<void> };

/** The answer to a command that failed. */
function describe(error: unknown, logger: Logger | undefined): Doc {
  let known = error instanceof ServerError ? error : undefined;
  if (!known) logger?.error({ err: error }, 'a command failed');
  if (isCommitError(error)) known = new ServerError(14031, 'the write could not be stored and was undone');
  known ??= new ServerError(1, String(error));
  return { ok: 0, errmsg: known.message, code: known.code, codeName: known.codeName, ...known.extra };
}

/** Sends an answer, and waits while the client does not take it. */
async function send(socket: Socket, request: Request, answer: Doc): Promise<void> {
  let bytes: Buffer;
  try {
    bytes = reply(request, answer);
  } catch {
    bytes = reply(
      request,
      describe(new ServerError(10334, 'the answer is larger than a message can be'), undefined),
    );
  }
  if (socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const settle = () => {
      socket.off('drain', settle).off('close', settle);
      resolve();
    };
    socket.on('drain', settle).on('close', settle);
  });
}

function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => resolve());
  });
}

/** Opens a folder and serves it with MongoDB's wire protocol. */
export async function startEmbeddedMongo(options: Options): Promise<EmbeddedMongo> {
  const storage = new Storage(options.directory);
  try {
    return await start(storage, options);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function start(storage: Storage, options: Options): Promise<EmbeddedMongo> {
  const { directory, port = 0, socketPath, logger } = options;
  const engine = new Engine(storage);
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  const busy = new Set<Promise<void>>();
  const started = new Date();
  let connections = 0;
  let stopping = false;

  async function serve(socket: Socket): Promise<void> {
    const connection = ++connections;
    for await (const bytes of frames(socket)) {
      const request = parse(bytes);
      const { command } = request;
      const answer =
        command instanceof ServerError
          ? describe(command, logger)
          : await runCommand({ engine, cursors, connection, started }, command).catch((error) =>
              describe(error, logger),
            );
      if (!request.silent && !socket.destroyed) await send(socket, request, answer);
      if (stopping) break;
    }
  }

  const accept = (socket: Socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    sockets.add(socket);
    const served = serve(socket)
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

  const onPort = createServer(accept);
  const onSocket = createServer(accept);
  await listen(onPort, { port, host: '127.0.0.1' });
  if (socketPath) {
    rmSync(socketPath, { force: true });
    await listen(onSocket, { path: socketPath }).catch((error) => {
      onPort.close();
      throw error;
    });
  }
  const address = onPort.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  void engine.prepare();
  const sweeper = setInterval(() => {
    cursors.sweep();
    engine.sweep();
  }, SWEEP_EVERY).unref();
  logger?.info(
    { directory, port: bound, socketPath, collections: engine.collections.size },
    'embedded mongo is ready',
  );

  return {
    url: `mongodb://127.0.0.1:${bound}`,
    port: bound,
    async stop() {
      stopping = true;
      clearInterval(sweeper);
      onPort.close();
      if (socketPath) onSocket.close();
      await storage.flushed().catch(() => {});
      for (const socket of sockets) socket.destroySoon();
      await Promise.all(busy);
      await storage.close();
    },
  };
}
