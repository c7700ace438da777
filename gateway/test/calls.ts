import { type Operation, type OperationName, operations } from '@wayquest/contracts';
import { newChallenge, type TestUser, testPassword } from '@wayquest/testing';

export interface Call {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** What one who may call it is answered, where that is not success: status and code of the problem. */
  allowed?: [number, string];
}

export interface People {
  /** Who owns what the call names. */
  owner: TestUser;
  caller: TestUser;
}

const lineOf = async (owner: TestUser) =>
  owner.client.joinChallenge({ body: { challengeId: (await newChallenge(owner)).id } });

const completedBy = async (owner: TestUser) => {
  const { id, challengeId } = await lineOf(owner);
  await owner.client.updateLine({ params: { id }, body: { completed: true } });
  return challengeId;
};

let names = 0;
const newName = () => `fresh-${process.pid}-${++names}`;

type MakeCall = (people: People) => Promise<Call>;

/** A call of each operation that succeeds for those who may make it. */
export const calls: { [N in OperationName]?: MakeCall } = {
  signup: async () => ({ body: { username: newName(), password: testPassword } }),
  login: async ({ owner }) => ({ body: { username: owner.username, password: testPassword } }),
  logout: async () => ({}),
  changePassword: async () => ({ body: { currentPassword: testPassword, newPassword: `${testPassword}!` } }),
  changeUsername: async () => ({ body: { username: newName() } }),
  startGoogleLogin: async () => ({}),
  finishGoogleLogin: async () => ({}),
  exchangeLoginCode: async () => ({ body: { code: 'never given out' }, allowed: [401, 'invalid-code'] }),
  getMe: async () => ({}),
  updateMe: async () => ({ body: { city: 'Queens' } }),
  listUsers: async () => ({ query: { suggested: 3 } }),
  getUser: async ({ owner }) => ({ params: { id: owner.me.id } }),
  awardPoints: async ({ caller }) => ({ body: { challengeId: await completedBy(caller) } }),
  getLeaderboard: async () => ({ query: { page: 1 } }),
  getProfilePicture: async ({ owner }) => ({ params: { file: owner.me.avatar } }),
  listChallenges: async () => ({}),
  getChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  createChallenge: async () => ({ body: { name: 'Walk', difficulty: 'Easy' } }),
  deleteChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  listLines: async ({ owner }) => ({ query: { challengeId: (await lineOf(owner)).challengeId } }),
  joinChallenge: async ({ owner }) => ({ body: { challengeId: (await newChallenge(owner)).id } }),
  updateLine: async ({ owner }) => ({ params: { id: (await lineOf(owner)).id }, body: { completed: true } }),
  leaveChallenge: async ({ owner }) => ({ params: { id: (await lineOf(owner)).id } }),
};

/** The rows of the contracts' table that a network of all services can answer, each with its call. */
export const callable = Object.entries<Operation>(operations).flatMap(([name, operation]) => {
  const makeCall = calls[name as OperationName];
  return makeCall ? [{ name, operation, makeCall }] : [];
});
