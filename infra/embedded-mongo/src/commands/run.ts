import { Binary } from 'bson';
import { badValue, notSupported, ServerError } from '../errors.ts';
import { select } from '../query.ts';
import { type Doc, isDoc, numberOf, ownValue } from '../values.ts';
import { adminCommands } from './admin.ts';
import { Args, type Command, type Context } from './command.ts';
import { readCommands } from './read.ts';
import { writeCommands } from './write.ts';

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
export function runCommand(context: Omit<Context, 'db'>, doc: Doc): Doc | Promise<Doc> {
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
