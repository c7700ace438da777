import { Binary } from 'bson';
import { failedToParse, notSupported, ServerError } from '../errors.ts';
import { type Doc, isDoc, numberOf, own } from '../values.ts';
import { adminCommands } from './admin.ts';
import { Args, type Command, type Context, checkFields, fieldSet } from './command.ts';
import { readCommands } from './read.ts';
import { writeCommands } from './write.ts';

const GENERIC =
  '$db lsid txnNumber stmtIds stmtId $readPreference readConcern writeConcern comment maxTimeMS $clusterTime apiVersion apiStrict apiDeprecationErrors';

const table = new Map(
  Object.entries<Command>({ ...adminCommands, ...readCommands, ...writeCommands }).map(([name, command]) => [
    name,
    { ...command, known: fieldSet(`${name} ${GENERIC} ${command.fields}`) },
  ]),
);

const READ_CONCERNS = new Set(['local', 'available', 'majority', 'linearizable']);

function checkConcerns(command: Doc): void {
  const read = own(command, 'readConcern');
  const level = isDoc(read) ? own(read, 'level') : undefined;
  if (level !== undefined && !READ_CONCERNS.has(String(level)))
    throw notSupported(`the read concern ${String(level)}`);
  const write = own(command, 'writeConcern');
  const w = isDoc(write) ? own(write, 'w') : undefined;
  if ((numberOf(w) ?? 1) > 1) throw new ServerError(2, "cannot use 'w' > 1 when a host is not replicated");
  if (w !== undefined && numberOf(w) === undefined && w !== 'majority') {
    throw new ServerError(79, `No write concern mode named '${String(w)}' found`);
  }
}

/** The session of a numbered write, which is remembered so that sending it again does not do it again. */
function retryOf(command: Doc): { session: string; number: number } | undefined {
  const { lsid, txnNumber } = command;
  if (txnNumber === undefined) return undefined;
  const id = isDoc(lsid) ? own(lsid, 'id') : undefined;
  const number = numberOf(txnNumber);
  if (!(id instanceof Binary) || number === undefined) {
    throw new ServerError(
      72,
      'txnNumber may only be provided for multi-document transactions and retryable writes with an lsid',
    );
  }
  return { session: Buffer.from(id.value()).toString('latin1'), number };
}

/** Runs a command. Its answer is given once what it wrote, or rests on, is on the disk. */
export async function runCommand(context: Omit<Context, 'db'>, command: Doc): Promise<Doc> {
  const [name = ''] = Object.keys(command);
  const known = table.get(name);
  if (!known) throw new ServerError(59, `no such command: '${name}'`);
  if (Object.hasOwn(command, 'autocommit') || Object.hasOwn(command, 'startTransaction')) {
    throw new ServerError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  checkFields(name, command, known.known);
  checkConcerns(command);
  const db = own(command, '$db');
  if (typeof db !== 'string' || db === '') throw failedToParse('$db must be the name of a database');
  const { engine } = context;
  const retry = known.writes ? retryOf(command) : undefined;
  const before = retry && engine.recall(retry.session, retry.number);
  const answer = before ?? known.run({ ...context, db }, new Args(name, command));
  if (retry && !before) engine.remember(retry.session, retry.number, answer);
  const level = isDoc(command.readConcern) ? command.readConcern.level : undefined;
  if (known.writes || level === 'majority' || level === 'linearizable') await engine.storage.flushed();
  return { ...answer, ok: 1 };
}
