import type { Challenge, Client, Me } from '@wayquest/contracts';
import type { Network } from './network.ts';

let count = 0;
const run = process.pid.toString(36);

export const testPassword = 'correct horse battery staple';

export interface TestUser {
  username: string;
  token: string;
  /** Calls in the user's name. */
  client: Client;
  me: Me;
}

/** Somebody who has just signed up. */
export async function newUser(network: Network, username = `user-${run}-${++count}`): Promise<TestUser> {
  const { token } = await network.client().signup({ body: { username, password: testPassword } });
  const client = network.client(token);
  return { username, token, client, me: await client.getMe() };
}

type ChallengeInput = Parameters<Client['createChallenge']>[0]['body'];

/** A challenge that is open now, made by this user. */
export const newChallenge = (user: TestUser, changes: Partial<ChallengeInput> = {}): Promise<Challenge> =>
  user.client.createChallenge({ body: { name: `Challenge ${++count}`, difficulty: 'Easy', ...changes } });
