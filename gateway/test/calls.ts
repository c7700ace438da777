import { type Operation, type OperationName, operations } from '@wayquest/contracts';
import { eventually, newChallenge, type TestUser, testPassword } from '@wayquest/testing';

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
  another: TestUser;
}

const lineOf = async (owner: TestUser) =>
  owner.client.joinChallenge({ body: { challengeId: (await newChallenge(owner)).id } });

const completedBy = async (owner: TestUser) => {
  const { id, challengeId } = await lineOf(owner);
  await owner.client.updateLine({ params: { id }, body: { completed: true } });
  return challengeId;
};

const askedBy = (asking: TestUser, asked: TestUser) =>
  asking.client.requestFriend({ body: { friendId: asked.me.id } });

const befriend = async (one: TestUser, other: TestUser) => {
  const { id } = await askedBy(one, other);
  await other.client.acceptFriend({ params: { id } });
};

/** Chat hears of a friendship by event. */
const conversationOf = async (one: TestUser, other: TestUser) => {
  await befriend(one, other);
  return eventually(() => one.client.openConversation({ body: { friend: { id: other.me.id } } }));
};

const sentBy = async (one: TestUser, other: TestUser) => {
  const { id: conversationId } = await conversationOf(one, other);
  return one.client.sendMessage({ body: { conversationId, text: 'Hello' } });
};

/** A grey square of 64 pixels. */
const picture = new Blob(
  [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEWIiIhYZW6zAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQokWNgGAWjgHwAAAJAAAFgVTVqAAAAAElFTkSuQmCC',
      'base64',
    ),
  ],
  { type: 'image/png' },
);

let names = 0;
const newName = () => `fresh-${process.pid}-${++names}`;

/** A call of each operation that succeeds for those who may make it. A new operation does not compile without one. */
const calls: Record<OperationName, (people: People) => Promise<Call>> = {
  signup: async () => ({ body: { username: newName(), password: testPassword } }),
  login: async ({ owner }) => ({ body: { username: owner.username, password: testPassword } }),
  logout: async () => ({}),
  listSessions: async () => ({}),
  endSession: async ({ owner }) => {
    await owner.client.login({ body: { username: owner.username, password: testPassword } });
    const [newest] = await owner.client.listSessions();
    return { params: { id: newest?.id } };
  },
  endSessions: async () => ({}),
  changePassword: async () => ({ body: { currentPassword: testPassword, newPassword: `${testPassword}!` } }),
  getAccount: async () => ({}),
  changeEmail: async () => ({ body: { email: `${newName()}@wayquest.example` } }),
  confirmEmail: async () => ({ body: { token: 'never sent' }, allowed: [401, 'invalid-link'] }),
  forgotPassword: async () => ({ body: { email: `${newName()}@wayquest.example` } }),
  resetPassword: async () => ({
    body: { token: 'never sent', password: testPassword },
    allowed: [401, 'invalid-link'],
  }),
  changeUsername: async () => ({ body: { username: newName() } }),
  startGoogleLogin: async () => ({}),
  finishGoogleLogin: async () => ({}),
  exchangeLoginCode: async () => ({ body: { code: 'never given out' }, allowed: [401, 'invalid-code'] }),
  getMe: async () => ({}),
  updateMe: async () => ({ body: { city: 'Queens' } }),
  updatePicture: async () => ({ body: picture }),
  listUsers: async () => ({ query: { suggested: 3 } }),
  getUser: async ({ owner }) => ({ params: { id: owner.me.id } }),
  awardPoints: async ({ caller }) => ({ body: { challengeId: await completedBy(caller) } }),
  listHeldAwards: async () => ({}),
  releaseAward: async ({ owner }) => ({
    params: { userId: owner.me.id, challengeId: 1 },
    allowed: [404, 'not-found'],
  }),
  getLeaderboard: async () => ({ query: { page: 1 } }),
  getProfilePicture: async ({ owner }) => ({ params: { file: owner.me.avatar } }),
  listChallenges: async () => ({}),
  viewChallenges: async () => ({ query: { bbox: '-74,40,-73,41', zoom: 12 } }),
  listChallengeClusters: async () => ({ query: { bbox: '-74,40,-73,41', zoom: 12 } }),
  getChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  createChallenge: async () => ({ body: { name: 'Walk', difficulty: 'Easy' } }),
  updateChallenge: async ({ owner }) => ({
    params: { id: (await newChallenge(owner)).id },
    body: { name: 'Walk further', difficulty: 'Easy' },
  }),
  deleteChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  deleteChallengesOf: async ({ owner, another }) => {
    const { id: challengeId } = await newChallenge(owner);
    const { id } = await another.client.joinChallenge({ body: { challengeId } });
    await another.client.updateLine({ params: { id }, body: { completed: true } });
    await another.client.awardPoints({ body: { challengeId } });
    return { params: { id: owner.me.id } };
  },
  listLines: async ({ owner }) => ({ query: { challengeId: (await lineOf(owner)).challengeId } }),
  listCompletions: async ({ owner }) => ({ query: { ids: owner.me.id } }),
  getTrailBook: async ({ owner }) => ({ params: { id: owner.me.id } }),
  showTrailMap: async ({ owner }) => ({ params: { id: owner.me.id }, body: { shownTo: 'friends' } }),
  joinChallenge: async ({ owner }) => ({ body: { challengeId: (await newChallenge(owner)).id } }),
  updateLine: async ({ owner }) => ({ params: { id: (await lineOf(owner)).id }, body: { completed: true } }),
  leaveChallenge: async ({ owner }) => ({ params: { id: (await lineOf(owner)).id } }),
  listFriendRequests: async () => ({}),
  requestFriend: async ({ another }) => ({ body: { friendId: another.me.id } }),
  acceptFriend: async ({ owner, another }) => ({ params: { id: (await askedBy(another, owner)).id } }),
  removeFriend: async ({ owner, another }) => ({ params: { id: (await askedBy(owner, another)).id } }),
  listBlocks: async () => ({}),
  blockUser: async ({ another }) => ({ body: { userId: another.me.id } }),
  unblockUser: async ({ caller, another }) => {
    await caller.client.blockUser({ body: { userId: another.me.id } });
    return { params: { userId: another.me.id } };
  },
  listConversations: async ({ owner }) => ({ params: { userId: owner.me.id } }),
  openConversation: async ({ caller, another }) => {
    await conversationOf(caller, another);
    return { body: { friend: { id: another.me.id } } };
  },
  markConversationRead: async ({ owner, another }) => {
    const { id, conversationId } = await sentBy(another, owner);
    return { params: { id: conversationId }, body: { messageId: id } };
  },
  listMessages: async ({ owner, another }) => ({
    params: { conversationId: (await conversationOf(owner, another)).id },
  }),
  sendMessage: async ({ caller, another }) => ({
    body: { conversationId: (await conversationOf(caller, another)).id, text: 'Hello' },
  }),
  searchPlaces: async () => ({ query: { text: 'Flushing', near: '40.76,-73.82' } }),
  reversePlace: async () => ({ query: { at: '40.76,-73.83' } }),
  nearbyPlaces: async () => ({ query: { at: '40.76,-73.82', type: 'park', radius: '5000' } }),
  listTowns: async () => ({ query: { bbox: '-74,40,-73,41' } }),
  listKnownPlaces: async () => ({ query: { bbox: '-74,40,-73,41' } }),
  getSettings: async () => ({}),
  listNotifications: async ({ owner, another }) => {
    await askedBy(another, owner);
    return { query: { limit: '3' } };
  },
  countUnreadNotifications: async () => ({}),
  markNotificationsRead: async () => ({ body: { until: new Date().toISOString() } }),
  getNotificationPreferences: async () => ({}),
  updateNotificationPreferences: async () => ({ body: { 'challenge-ending': false } }),
  getPushKey: async () => ({}),
  subscribeToPush: async () => ({
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${newName()}`,
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    },
  }),
  unsubscribeFromPush: async () => ({ params: { id: 1 } }),
  getChatPreferences: async () => ({}),
  updateChatPreferences: async () => ({ body: { showTyping: false } }),
};

/** Every row of the contracts' table, each with its call. */
export const callable = Object.entries<Operation>(operations).map(([name, operation]) => ({
  name,
  operation,
  makeCall: calls[name as OperationName],
}));
