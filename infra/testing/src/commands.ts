import type { CommandStartedEvent } from 'mongodb';
import mongoose from 'mongoose';
import { storeUrl } from './store.ts';

/** The store as a service is given it whose commands are to be recorded. */
export function recordedStoreUrl(): string {
  const url = new URL(storeUrl());
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/** What a service asks now and then by itself: for a sign of life, for leftovers, and what it is to tell again. */
const isOfItself = ({ commandName, command }: CommandStartedEvent): boolean =>
  commandName === 'ping' ||
  command[commandName] === 'retellings' ||
  /^\[?\{("\$match":\{)?"outboxDueAt":/.test(JSON.stringify(command.filter ?? command.pipeline ?? ''));

/** What a service asks of its store from now on; `database` is its own. */
export function recordCommands(database: string): CommandStartedEvent[] {
  const recorded: CommandStartedEvent[] = [];
  const client = mongoose.connections.find(({ name }) => name === database)?.getClient();
  if (!client) throw new Error(`nothing is connected to ${database}`);
  client.on('commandStarted', (event) => {
    if (!isOfItself(event)) recorded.push(event);
  });
  return recorded;
}
