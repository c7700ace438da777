import { createHmac, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type Challenge, type Client, createClient, localDate } from '@wayquest/contracts';
import { jitteredBackoff } from '@wayquest/platform/bus';
import type { Logger } from '@wayquest/platform/telemetry';
import { contentOf, writeContent } from '../data-files.ts';
import { challenges, type DemoChallenge } from './challenges.ts';

export interface DemoPerson {
  username: string;
  firstName: string;
  lastName: string;
  city: string;
}

/** The people of the demo data. Nobody can log in as one of them. */
const people: DemoPerson[] = [
  { username: 'marisol', firstName: 'Marisol', lastName: 'Reyes', city: 'Corona' },
  { username: 'jun.park', firstName: 'Jun', lastName: 'Park', city: 'Flushing' },
  { username: 'tessa-b', firstName: 'Tessa', lastName: 'Brennan', city: 'Sunnyside' },
  { username: 'imran', firstName: 'Imran', lastName: 'Chowdhury', city: 'Jackson Heights' },
  { username: 'nadia_k', firstName: 'Nadia', lastName: 'Kowalska', city: 'Maspeth' },
  { username: 'leon', firstName: 'Leon', lastName: 'Baptiste', city: 'Cambria Heights' },
  { username: 'wei.lin', firstName: 'Wei', lastName: 'Lin', city: 'Flushing' },
  { username: 'priya', firstName: 'Priya', lastName: 'Raman', city: 'Floral Park' },
  { username: 'oscar-v', firstName: 'Oscar', lastName: 'Vargas', city: 'Astoria' },
  { username: 'dina', firstName: 'Dina', lastName: 'Haddad', city: 'Forest Hills' },
  { username: 'george_s', firstName: 'George', lastName: 'Stavros', city: 'Astoria' },
  { username: 'amara', firstName: 'Amara', lastName: 'Okafor', city: 'Jamaica' },
];

interface DemoOptions {
  url: string;
  directory: string;
  /** Resolves when the services have handled what was created before, so that a slow machine is not given more than it can do. */
  settled(): Promise<void>;
  logger: Logger;
  /** Cancels it; the next start continues. */
  signal: AbortSignal;
}

const minPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Returns the local date in Queens, where all challenges are, some days from now. */
const dayFromNow = (days: number | undefined) =>
  days === undefined ? null : localDate('America/New_York', new Date(Date.now() + days * 86_400_000));

const isTaken = (error: unknown) => error instanceof CallError && error.status === 409;

/**
 * Fills an empty installation with people and challenges, through the public API. Failures are retried with growing
 * pauses, from where it stopped.
 *
 * @param options - Where and how, and a signal to cancel it.
 * @returns Resolves when everything was created, or the current call has ended after the signal; never rejects.
 */
export async function makeDemo(options: DemoOptions): Promise<void> {
  const { logger, signal } = options;
  const clients = new Map<string, Client>();
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      return await createMissing(options, clients);
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error }, 'could not complete the demo data; retrying');
      await sleep(jitteredBackoff(attempt, minPauseMs, maxPauseMs), undefined, { signal }).catch(() => {});
    }
  }
}

/** The file that exists while the demo data are incomplete. Passwords are derived from the secret that it contains. */
const unfinishedIn = (directory: string) => join(directory, 'demo-unfinished');

/** Creates what is missing; `clients` are those of the people who are logged in. */
async function createMissing(
  { url, directory, settled, signal }: DemoOptions,
  clients: Map<string, Client>,
): Promise<void> {
  const unfinished = unfinishedIn(directory);
  const connect = (token?: string) =>
    createClient({
      baseUrl: url,
      token: () => token,
      // A canceled run finishes its current call.
      async fetch(input, init) {
        signal.throwIfAborted();
        return fetch(input, init);
      },
    });
  const visitor = connect();
  let secret = await contentOf(unfinished);
  // Version 0.2.0 derived the passwords from the signing key, and stored nothing.
  if (secret === '') return rm(unfinished);
  if (secret === undefined) {
    const users = await visitor.listUsers({ query: { limit: '1' } });
    if (users.length) return;
    secret = randomBytes(32).toString('hex');
    await writeContent(unfinished, secret);
  }

  const clientOf = (username: string): Client => {
    const client = clients.get(username);
    if (!client) throw new Error(`the demo data have no user ${username}`);
    return client;
  };

  for (const { username, ...profile } of people) {
    if (clients.has(username)) continue;
    const password = createHmac('sha256', secret).update(username).digest('hex');
    const body = { username, password };
    const { token } = await visitor.signup({ body }).catch((error) => {
      if (isTaken(error)) return visitor.login({ body });
      throw error;
    });
    const client = connect(token);
    await client.updateMe({ body: { ...profile, state: 'NY' } });
    clients.set(username, client);
    await settled();
  }

  const existing = await visitor.listChallenges();
  for (const challenge of challenges) {
    const { id } =
      existing.find(({ name }) => name === challenge.name) ?? (await create(challenge, clientOf));
    for (const username of [...challenge.joinedBy, ...challenge.completedBy]) {
      const participation = await clientOf(username).joinChallenge({ body: { challengeId: id } });
      if (challenge.completedBy.includes(username) && !participation.completed) {
        await clientOf(username).updateParticipation({
          params: { id: participation.id },
          body: { completed: true },
        });
      }
    }
    await settled();
  }
  await rm(unfinished);
}

const create = (
  { opensIn, closesIn, madeBy, joinedBy: _, completedBy: __, ...challenge }: DemoChallenge,
  clientOf: (username: string) => Client,
): Promise<Challenge> =>
  clientOf(madeBy).createChallenge({
    body: { ...challenge, state: 'NY', startDate: dayFromNow(opensIn), endDate: dayFromNow(closesIn) },
  });
