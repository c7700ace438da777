import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { Binary } from 'bson';
import { adminCommands } from './commands/admin.ts';
import { Args, type Command, type Context } from './commands/command.ts';
import { readCommands } from './commands/read.ts';
import { writeCommands } from './commands/write.ts';
import { Cursors } from './cursors.ts';
import { Engine } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { select } from './query.ts';
import { Storage } from './storage.ts';
import { type Doc, isDoc, numberOf, ownValue } from './values.ts';
import { frames, ProtocolError, parse, reply } from './wire.ts';

const commands: Record<string, Command> = { ...adminCommands, ...readCommands, ...writeCommands };

/** Validates read and write concerns; returns true if a read has to wait for the disk. */
function checkConcerns(args: Args): boolean {
  const level = String(ownValue(args.document('readConcern'), 'level') ?? 'local');
  if (!/^(local|available|majority)$/.test(level)) throw notSupported(`the read concern ${level}`);
  const w = ownValue(args.document('writeConcern'), 'w') ?? 1;
  if (w !== 'majority' && !((numberOf(w) ?? 2) <= 1)) throw badValue(`'w' ${w} needs a replica set`);
  return level === 'majority';
}

const SESSIONS = 'config.transactions';

/**
 * Executes a retryable write of a session, or returns its stored response. The response is stored where MongoDB stores
 * it, and is written to disk together with the write.
 */
function runOnce({ engine }: Context, args: Args, run: () => Doc): Doc {
  const _id = ownValue(args.document('lsid'), 'id');
  const number = numberOf(args.get('txnNumber'));
  if (!(_id instanceof Binary) || number === undefined) throw new ServerError(72, 'txnNumber needs an lsid');
  const [last] = select(engine.collection(SESSIONS), { filter: { _id } });
  const seen = numberOf(last?.doc.number) ?? -1;
  if (seen > number) throw new ServerError(225, `txnNumber ${number} is too old: it has seen ${seen}`);
  if (seen === number && isDoc(last?.doc.reply)) return last.doc.reply;
  const reply = run();
  const sessions = engine.collection(SESSIONS);
  engine.createIndex(sessions, { key: { at: 1 }, expireAfterSeconds: 30 * 60 });
  const entry = { _id, number, reply, at: new Date() };
  if (last) engine.replace(sessions, last, entry);
  else engine.insert(sessions, entry);
  return reply;
}

/** Executes a command. The response is sent once everything that it wrote or depends on is on disk. */
function runCommand(context: Omit<Context, 'db'>, doc: Doc): Doc | Promise<Doc> {
  const [name = ''] = Object.keys(doc);
  const command = ownValue(commands, name);
  if (!command) throw new ServerError(59, `no such command: '${name}'`);
  if (Object.hasOwn(doc, 'autocommit')) throw new ServerError(20, 'Transactions need a replica set');
  const args = new Args(name, doc, command.fields);
  const waits = checkConcerns(args) || command.writes;
  // Checked first, so that nothing has to be undone.
  if (command.writes) context.engine.storage.checkRoom();
  const within = { ...context, db: args.string('$db') };
  const run = () => command.run(within, args);
  const isNumbered = command.writes && args.get('txnNumber') !== undefined;
  if (isNumbered && !ownValue(writeCommands, name))
    throw new ServerError(50768, `txnNumber is not for ${name}`);
  if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(within.db)) throw new ServerError(73, `no database '${within.db}'`);
  const reply = { ...(isNumbered ? runOnce(within, args, run) : run()), ok: 1 };
  return waits ? context.engine.storage.flushed().then(() => reply) : reply;
}

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
