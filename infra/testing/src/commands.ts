import { currentRequestId } from '@wayquest/platform/telemetry';
import type { CommandStartedEvent } from 'mongodb';
import mongoose from 'mongoose';
import { storeUrl } from './store.ts';

/** The store as a service is given it whose commands are to be recorded. */
export function recordedStoreUrl(): string {
  const url = new URL(storeUrl());
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/**
 * The commands that a service sends to its store from now on because of calls and events; not what it does by itself, for a
 * sign of life, for leftovers, or for what is due.
 *
 * @param database - The service's own.
 */
export function recordCommands(database: string): CommandStartedEvent[] {
  const recorded: CommandStartedEvent[] = [];
  const client = mongoose.connections.find(({ name }) => name === database)?.getClient();
  if (!client) throw new Error(`nothing is connected to ${database}`);
  client.on('commandStarted', (event) => {
    if (currentRequestId()) recorded.push(event);
  });
  return recorded;
}
