import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError, type Challenge, type Client, createClient } from '@wayquest/contracts';
import { challenges, type DemoChallenge } from './challenges.ts';
import { people } from './people.ts';

interface DemoOptions {
  url: string;
  directory: string;
  /** The people's passwords are made from it: nobody knows them, and a second attempt finds the same. */
  secret: string;
}

const dayIn = (days: number | undefined) =>
  days === undefined ? null : new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const isTaken = (error: unknown) => error instanceof CallError && error.status === 409;

/** Fills an empty Wayquest with people and challenges, by the calls that everyone makes. An attempt cut short goes on. */
export async function makeDemo({ url, directory, secret }: DemoOptions): Promise<void> {
  const unfinished = join(directory, 'demo-unfinished');
  const nobody = createClient({ baseUrl: url });
  if (!existsSync(unfinished)) {
    const anybody = await nobody.listUsers({ query: { limit: '1' } });
    if (anybody.length) return;
    await writeFile(unfinished, '');
  }

  const clients = new Map<string, Client>();
  const clientOf = (username: string): Client => {
    const client = clients.get(username);
    if (!client) throw new Error(`the demo has nobody called ${username}`);
    return client;
  };

  for (const { username, ...profile } of people) {
    const body = { username, password: createHmac('sha256', secret).update(username).digest('hex') };
    const { token } = await nobody.signup({ body }).catch((error) => {
      if (isTaken(error)) return nobody.login({ body });
      throw error;
    });
    const client = createClient({ baseUrl: url, token: () => token });
    await client.updateMe({ body: { ...profile, state: 'NY' } });
    clients.set(username, client);
  }

  const made = await nobody.listChallenges();
  for (const challenge of challenges) {
    const { id } = made.find(({ name }) => name === challenge.name) ?? (await create(challenge, clientOf));
    for (const username of [...challenge.joinedBy, ...challenge.completedBy]) {
      const line = await clientOf(username).joinChallenge({ body: { challengeId: id } });
      if (challenge.completedBy.includes(username) && !line.completed) {
        await clientOf(username).updateLine({ params: { id: line.id }, body: { completed: true } });
      }
    }
  }
  await rm(unfinished);
}

const create = (
  { opensIn, closesIn, madeBy, joinedBy: _, completedBy: __, ...challenge }: DemoChallenge,
  clientOf: (username: string) => Client,
): Promise<Challenge> =>
  clientOf(madeBy).createChallenge({
    body: { ...challenge, state: 'NY', startDate: dayIn(opensIn), endDate: dayIn(closesIn) },
  });
