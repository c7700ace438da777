import { setTimeout as aMoment } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import type { Logger } from './logging.ts';

export interface MongoOptions {
  url: string;
  database: string;
  logger: Logger;
}

/** A connection of a service's own to its own database. Indexes are made by `prepareCollections`, not on the fly. */
export async function connectMongo({ url, database, logger }: MongoOptions): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    dbName: database,
    appName: database,
    autoIndex: false,
    autoCreate: false,
    retryWrites: true,
    serverSelectionTimeoutMS: 10_000,
  });
  connection.on('error', (error) => logger.error({ err: error }, 'the database connection failed'));
  connection.on('disconnected', () => logger.warn('the database went away'));
  connection.on('reconnected', () => logger.info('the database is back'));
  return connection.asPromise();
}

/** The start-up step that makes collections and their indexes; it may run any number of times and in parallel. */
export async function prepareCollections(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

const duplicateKeyCode = 11_000;
const writeConflictCode = 112;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether a write was refused because a unique index already holds its key. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, duplicateKeyCode);

/**
 * Whether a write lost against another one for the same unique key: it holds the key, or the server could not tell
 * yet (MongoDB waits and tries again, DocumentDB leaves that to the client). Whoever made it looks again.
 */
export const lostTheRace = (error: unknown): boolean =>
  isDuplicateKey(error) || hasCode(error, writeConflictCode);

const shortestPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Makes an attempt that answers undefined when it lost a race, until one answers more. Between two of them it lets a
 * random moment pass, so that those who lost against each other do not meet, and lose, at the same instant again. It is
 * measured by how long the lost attempt took: where writes wait for each other, somebody who is back at once makes all
 * of them wait once more, and nobody ever wins.
 */
export async function untilWon<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const start = performance.now();
    const won = await attempt();
    if (won !== undefined) return won;
    const tookMs = performance.now() - start;
    await aMoment(Math.random() * Math.min(longestPauseMs, Math.max(shortestPauseMs, 2 * tookMs)));
  }
}
