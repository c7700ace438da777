import { currentRequestId } from '@wayquest/platform/telemetry';
import type { CommandStartedEvent } from 'mongodb';
import mongoose from 'mongoose';
import { storeUrl } from './store.ts';

/** Returns the store's URL with command monitoring, which `recordCommands` and `recordQueries` need. */
export function monitoredStoreUrl(): string {
  const url = new URL(storeUrl());
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/**
 * Records the commands that a service sends to its store while it handles requests and events; not those of health
 * checks and periodic tasks.
 *
 * @param database - The service's database.
 */
export function recordCommands(database: string): CommandStartedEvent[] {
  const recorded: CommandStartedEvent[] = [];
  const client = mongoose.connections.find(({ name }) => name === database)?.getClient();
  if (!client) throw new Error(`no service is connected to ${database}`);
  client.on('commandStarted', (event) => {
    if (currentRequestId()) recorded.push(event);
  });
  return recorded;
}
