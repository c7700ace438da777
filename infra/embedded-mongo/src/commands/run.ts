import { Binary } from 'bson';
import { badValue, failedToParse, notSupported, ServerError } from '../errors.ts';
import { type Doc, numberOf, own } from '../values.ts';
import { adminCommands } from './admin.ts';
import { Args, type Command, type Context } from './command.ts';
import { readCommands } from './read.ts';
import { writeCommands } from './write.ts';

const commands = new Map<string, Command>(
  Object.entries({ ...adminCommands, ...readCommands, ...writeCommands }),
);

/** Checks what the client asks of the durability of reads and writes: true when a read has to wait for the disk. */
function checkConcerns(args: Args): boolean {
  const level = own(args.document('readConcern'), 'level') ?? 'local';
  if (level !== 'local' && level !== 'available' && level !== 'majority')
    throw notSupported(`the read concern ${level}`);
  const w = own(args.document('writeConcern'), 'w') ?? 1;
  if ((numberOf(w) ?? 1) > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated");
  if (typeof w === 'string' && w !== 'majority') throw new ServerError(79, `No write concern mode '${w}'`);
  return level === 'majority';
}

/** The session and number of a write that is remembered, so that sending it again does not do it again. */
function retryOf(args: Args): { session: string; number: number } | undefined {
  if (args.get('txnNumber') === undefined) return undefined;
  const id = own(args.document('lsid'), 'id');
  const number = numberOf(args.get('txnNumber'));
  if (!(id instanceof Binary) || id.position !== 16 || number === undefined)
    throw new ServerError(72, 'txnNumber needs an lsid');
  return { session: Buffer.from(id.value()).toString('latin1'), number };
}

/** Runs a command. Its answer is given once what it wrote, or rests on, is on the disk. */
export function runCommand(context: Omit<Context, 'db'>, doc: Doc): Doc | Promise<Doc> {
  const [name = ''] = Object.keys(doc);
  const command = commands.get(name);
  if (!command) throw new ServerError(59, `no such command: '${name}'`);
  if (Object.hasOwn(doc, 'autocommit') || Object.hasOwn(doc, 'startTransaction'))
    throw new ServerError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  const args = new Args(name, doc, command.fields);
  const waits = checkConcerns(args) || command.writes;
  const retry = command.writes ? retryOf(args) : undefined;
  const before = retry && context.engine.recall(retry.session, retry.number);
  const db = args.string('$db');
  if (db === '') throw failedToParse('$db must be the name of a database');
  const answer = before ?? command.run({ ...context, db }, args);
  if (retry && !before) context.engine.remember(retry.session, retry.number, answer);
  const reply = { ...answer, ok: 1 };
  return waits ? context.engine.storage.flushed().then(() => reply) : reply;
}
