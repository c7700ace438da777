import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  type Challenge,
  type Client,
  createClient,
  type EventData,
  generatedAvatar,
  type Me,
  NewChallenge,
  type Passkey,
  PublicUser,
  pointsByDifficulty,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createAuthenticator } from './authenticator.ts';
import type { RunningNetwork } from './network/network.ts';
import { openTab, type Tab } from './tabs.ts';

/** A folder of an operator's: a logo, rules in both languages, and each of the other pages in one. */
export const exampleSiteFolder: string = join(import.meta.dirname, '../site');

let count = 0;
const run = process.pid.toString(36);

export const testPassword = 'correct horse battery staple';

/** Returns an id above those that services assign. */
const fakeId = () => randomInt(1_000_000_000, 2_000_000_000);

export interface TestUser {
  network: RunningNetwork;
  username: string;
  token: string;
  /** A client with the user's token. */
  client: Client;
  me: Me;
}

/** Creates a user without an account, for networks without the auth service; publishes their profile. */
async function fakeUser(network: RunningNetwork, username: string): Promise<TestUser> {
  const id = fakeId();
  const token = network.signToken({ sub: String(id), username });
  const client = network.client(token);
  if (network.names.includes('users')) return { network, username, token, client, me: await client.getMe() };
  const emptyProfile = {
    firstName: '',
    lastName: '',
    city: '',
    state: '',
    email: '',
    streetAddress: '',
    zip: '',
  };
  const me = { ...emptyProfile, id, username, avatar: generatedAvatar(id), points: 0, admin: false };
  await network.publish(newEvent('user.profile-changed.v1', { user: PublicUser.parse(me), version: 1 }));
  return { network, username, token, client, me };
}

/** Signs up a new user. */
export async function newUser(
  network: RunningNetwork,
  username = `user-${run}-${++count}`,
): Promise<TestUser> {
  if (!network.names.includes('auth')) return fakeUser(network, username);
  const { token } = await network.client().signup({ body: { username, password: testPassword } });
  const client = network.client(token);
  return { network, username, token, client, me: await client.getMe() };
}

/** A local URL with a name: at an IP address there are no passkeys. */
export const namedUrl = (url: string): string => url.replace('//127.0.0.1', '//localhost');

/** Adds a passkey to a user's account, as a browser with cookies does. */
export async function newPasskey({ network, token }: TestUser, name = 'A key'): Promise<Passkey> {
  let cookie = '';
  const baseUrl = namedUrl(network.url);
  const client = createClient({
    baseUrl,
    token: () => token,
    headers: () => ({ cookie }),
    fetch: async (...args) => {
      const response = await fetch(...args);
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
      return response;
    },
  });
  const { challenge, user } = await client.startPasskey({ body: { currentPassword: testPassword } });
  const { origin } = new URL(baseUrl);
  const credential = createAuthenticator().create({ origin, challenge, user });
  return client.addPasskey({ body: { name, credential } });
}

export interface OnlineUser extends TestUser {
  /** Closed with the network, or by `closeTabs`. */
  tab: Tab;
}

/** Signs up a new user, and opens a socket for them. */
export async function newOnlineUser(network: RunningNetwork, username?: string): Promise<OnlineUser> {
  const user = await newUser(network, username);
  return { ...user, tab: await openTab(network.url, user.token) };
}

type ChallengeInput = Parameters<Client['createChallenge']>[0]['body'];

/** Creates a challenge that is open now. */
export async function newChallenge(
  { network, client, me }: TestUser,
  changes: Partial<ChallengeInput> = {},
): Promise<Challenge> {
  const body: ChallengeInput = { name: `Challenge ${++count}`, difficulty: 'Easy', ...changes };
  if (network.names.includes('challenges')) return client.createChallenge({ body });
  const requested = NewChallenge.parse(body);
  const challenge = {
    ...requested,
    id: fakeId(),
    points: requested.points ?? pointsByDifficulty[requested.difficulty],
    timeZone: 'UTC',
    creator: { id: me.id, username: me.username },
    createdAt: new Date().toISOString(),
  };
  await network.publish(newEvent('challenge.created.v1', { challenge, version: 1 }));
  return { ...challenge, participants: 0 };
}

/** Makes two users friends, by a request of the first. */
export async function befriend(one: TestUser, other: TestUser): Promise<void> {
  const { id } = await one.client.requestFriend({ body: { friendId: other.me.id } });
  await other.client.acceptFriend({ params: { id } });
}

const statesAfter = { hide: 'hidden', restore: 'live', delete: 'deleted', suspend: 'live' } as const;

/** The event by which moderation decides about something. */
export const newDecision = ({
  kind,
  subjectId,
  decision,
  suspendedUntil = null,
  ...rest
}: Pick<EventData<'moderation.decided.v1'>, 'kind' | 'subjectId' | 'affectedUserId' | 'version'> & {
  decision: keyof typeof statesAfter;
  suspendedUntil?: string | null;
}) =>
  newEvent('moderation.decided.v1', {
    ...{ caseId: `${kind}-${subjectId}`, kind, subjectId, title: '', byReports: false },
    ...{ decision, state: statesAfter[decision], suspendedUntil, ...rest },
  });

/** Joins a challenge and completes it. */
export async function complete(
  { client }: TestUser,
  { id: challengeId }: Pick<Challenge, 'id'>,
): Promise<void> {
  const { id } = await client.joinChallenge({ body: { challengeId } });
  await client.updateParticipation({ params: { id }, body: { completed: true } });
}

/**
 * Creates a picture to upload: a PNG of 64 by 64 pixels.
 *
 * @param gray - Its shade, by which pictures differ.
 */
export function newPicture(gray = 0x88): Blob {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEWIiIhYZW6zAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjgHwAAAJAAAFgVTVqAAAAAElFTkSuQmCC',
    'base64',
  );
  const palette = bytes.indexOf('PLTE');
  bytes.fill(gray, palette + 4, palette + 7);
  bytes.writeUInt32BE(crc32(bytes.subarray(palette, palette + 7)), palette + 7);
  return new Blob([bytes], { type: 'image/png' });
}
