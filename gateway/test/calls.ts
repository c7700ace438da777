import { type Operation, type OperationName, operations } from '@wayquest/contracts';
import {
  complete,
  createAuthenticator,
  eventually,
  newChallenge,
  newPasskey,
  newPicture,
  newUser,
  type TestUser,
  testPassword,
} from '@wayquest/testing';

export interface Call {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Status and problem code for callers with access, if the call does not succeed. */
  allowed?: [number, string];
}

export interface People {
  /** The owner of the resource. */
  owner: TestUser;
  caller: TestUser;
  /** Returns a third user, whom few calls need: always the same. */
  another(): Promise<TestUser>;
}

/** The people of a call; the third is created when first needed. */
export function peopleOf(
  owner: TestUser,
  caller: TestUser,
  createAnother: () => Promise<TestUser> = () => newUser(owner.network),
): People {
  let another: Promise<TestUser> | undefined;
  return {
    owner,
    caller,
    another() {
      another ??= createAnother();
      return another;
    },
  };
}

const suggestionInBerlin = '52.5244_13.4105_loop';

const lineOf = async (owner: TestUser) =>
  owner.client.joinChallenge({ body: { challengeId: (await newChallenge(owner)).id } });

const completedBy = async (owner: TestUser) => {
  const { id, challengeId } = await lineOf(owner);
  await owner.client.updateParticipation({ params: { id }, body: { completed: true } });
  return challengeId;
};

/** A completed participation with a note and a photo. */
const entryOf = async (owner: TestUser) => {
  const { id } = await lineOf(owner);
  await owner.client.updateParticipation({ params: { id }, body: { completed: true } });
  await owner.client.updateNote({ params: { id }, body: { note: 'Five bridges' } });
  return owner.client.updatePhoto({ params: { id }, body: newPicture() });
};

const requestBy = (sender: TestUser, receiver: TestUser) =>
  sender.client.requestFriend({ body: { friendId: receiver.me.id } });

/** Makes two users friends, unless they are; either of them may have sent a request. */
const befriend = async (one: TestUser, other: TestUser) => {
  const { id, friendId, status } = await requestBy(one, other);
  const { client } = friendId === one.me.id ? one : other;
  if (status === 'pending') await client.acceptFriend({ params: { id } });
};

/** Opens a conversation, once chat has received the event of the friendship. */
const conversationOf = async (one: TestUser, other: TestUser) => {
  await befriend(one, other);
  return eventually(() => one.client.openConversation({ body: { friend: { id: other.me.id } } }));
};

const sentBy = async (one: TestUser, other: TestUser) => {
  const { id: conversationId } = await conversationOf(one, other);
  return one.client.sendMessage({ body: { conversationId, text: 'Hello' } });
};

/** Reports a challenge; returns its case, which is created by an event. */
const caseOf = async ({ owner, another }: Pick<People, 'owner' | 'another'>) => {
  const { id } = await newChallenge(owner);
  await (await another()).client.report({ body: { kind: 'challenge', id, reason: 'spam' } });
  const caseId = `challenge-${id}`;
  await eventually(() => adminOf(owner).getCase({ params: { id: caseId } }));
  return caseId;
};

const adminOf = ({ network }: TestUser) =>
  network.client(network.signToken({ sub: '900001', username: 'admin', admin: true }));

/** Creates points under review: 400 points from one creator within a day exceed the threshold. */
const flaggedAwardOf = async ({ owner, another }: People) => {
  const challenges = await Promise.all([1, 2, 3, 4].map(() => newChallenge(owner, { points: 100 })));
  const participant = await another();
  for (const challenge of challenges) await complete(participant, challenge);
  const ids = challenges.map(({ id }) => id);
  const { userId, challengeId } = await eventually(async () => {
    const awards = await adminOf(owner).listFlaggedAwards();
    const flagged = awards.find((award) => ids.includes(award.challengeId));
    if (!flagged) throw new Error('no points are under review yet');
    return flagged;
  });
  return { userId, challengeId };
};

/** Creates a suspended user. */
const suspended = async ({ owner, another }: People) => {
  const user = await newUser(owner.network);
  const id = await caseOf({ owner: user, another });
  await adminOf(owner).decide({ params: { id }, body: { action: 'suspend', days: 1 } });
  await eventually(() =>
    expect(user.client.getMe()).rejects.toMatchObject({ problem: { code: 'suspended' } }),
  );
  return user;
};

/** Input for a passkey that belongs to no account, with a challenge that was never issued. */
const unknownPasskey = { origin: 'http://127.0.0.1', challenge: 'A'.repeat(43), user: { id: 'MQ' } };

let names = 0;
const newName = () => `fresh-${process.pid}-${++names}`;

/** A call of each operation that succeeds for callers with access. A new operation does not compile without one. */
const calls: Record<OperationName, (people: People) => Promise<Call>> = {
  getRegistration: async () => ({}),
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
  deleteAccount: async () => ({ body: { currentPassword: testPassword } }),
  // Google sign-in is not configured.
  startGoogleLink: async () => ({
    body: { currentPassword: testPassword },
    allowed: [409, 'not-configured'],
  }),
  finishGoogleLink: async () => ({ body: { code: 'never issued' }, allowed: [401, 'invalid-code'] }),
  unlinkGoogle: async () => ({ body: { currentPassword: testPassword } }),
  // Nor is an OpenID Connect provider.
  startOpenIdLink: async () => ({
    body: { currentPassword: testPassword },
    allowed: [409, 'not-configured'],
  }),
  finishOpenIdLink: async () => ({ body: { code: 'never issued' }, allowed: [401, 'invalid-code'] }),
  unlinkOpenId: async () => ({ body: { currentPassword: testPassword } }),
  listPasskeys: async ({ caller }) => {
    await newPasskey(caller);
    return {};
  },
  startPasskey: async () => ({ body: { currentPassword: testPassword } }),
  addPasskey: async () => ({
    body: { name: 'A key', credential: createAuthenticator().create(unknownPasskey) },
    allowed: [401, 'invalid-passkey'],
  }),
  removePasskey: async ({ owner }) => ({
    params: { id: (await newPasskey(owner)).id },
    body: { currentPassword: testPassword },
  }),
  startPasskeyLogin: async () => ({}),
  loginWithPasskey: async () => ({
    body: { credential: createAuthenticator().get(unknownPasskey) },
    allowed: [401, 'invalid-passkey'],
  }),
  listAccounts: async () => ({}),
  createAccount: async () => ({ body: { username: newName() } }),
  // It is not waiting, and stays as it is.
  approveAccount: async ({ owner }) => ({ params: { id: owner.me.id } }),
  declineAccount: async ({ owner }) => ({
    params: { id: owner.me.id },
    allowed: [409, 'account-not-waiting'],
  }),
  createPasswordLink: async ({ owner }) => ({ params: { id: owner.me.id } }),
  changeRights: async ({ another }) => ({ params: { id: (await another()).me.id }, body: { admin: true } }),
  listInvitations: async () => ({}),
  createInvitation: async () => ({ body: { uses: 1, days: 7 } }),
  revokeInvitation: async ({ owner }) => {
    const { id } = await adminOf(owner).createInvitation({ body: { uses: 1, days: 7 } });
    return { params: { id } };
  },
  changeEmail: async () => ({ body: { email: `${newName()}@wayquest.example` } }),
  confirmEmail: async () => ({ body: { token: 'never sent' }, allowed: [401, 'invalid-link'] }),
  forgotPassword: async () => ({ body: { email: `${newName()}@wayquest.example` } }),
  getResetLink: async () => ({ body: { token: 'never sent' }, allowed: [401, 'invalid-link'] }),
  resetPassword: async () => ({
    body: { token: 'never sent', password: testPassword },
    allowed: [401, 'invalid-link'],
  }),
  changeUsername: async () => ({ body: { username: newName() } }),
  getPublicKeys: async () => ({}),
  startGoogleLogin: async () => ({ query: { invitation: 'never made' } }),
  finishGoogleLogin: async () => ({}),
  startOpenIdLogin: async () => ({}),
  finishOpenIdLogin: async () => ({}),
  exchangeLoginCode: async () => ({ body: { code: 'never issued' }, allowed: [401, 'invalid-code'] }),
  getMe: async () => ({}),
  updateMe: async () => ({ body: { city: 'Queens' } }),
  updatePicture: async () => ({ body: newPicture() }),
  listUsers: async () => ({ query: { suggested: 3 } }),
  getUser: async ({ owner }) => ({ params: { id: owner.me.id } }),
  awardPoints: async ({ caller }) => ({ body: { challengeId: await completedBy(caller) } }),
  listFlaggedAwards: async () => ({}),
  approveAward: async (people) => ({ params: await flaggedAwardOf(people) }),
  revokeAward: async (people) => ({
    params: await flaggedAwardOf(people),
    body: { reason: 'Nobody can have been there' },
  }),
  getLeaderboard: async () => ({ query: { page: 1 } }),
  getProfilePicture: async ({ owner }) => ({ params: { file: owner.me.avatar } }),
  listChallenges: async () => ({}),
  viewChallenges: async () => ({ query: { bbox: '-74,40,-73,41', zoom: 12 } }),
  listChallengeClusters: async () => ({ query: { bbox: '-74,40,-73,41', zoom: 12 } }),
  getChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  createChallenge: async () => ({ body: { name: 'Walk', difficulty: 'Easy' } }),
  createSuggestedChallenge: async () => ({ body: { suggestion: suggestionInBerlin } }),
  updateChallenge: async ({ owner }) => ({
    params: { id: (await newChallenge(owner)).id },
    body: { name: 'Walk further', difficulty: 'Easy' },
  }),
  deleteChallenge: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  deleteChallengesOf: async ({ owner, another }) => {
    const { id: challengeId } = await newChallenge(owner);
    const { client } = await another();
    const { id } = await client.joinChallenge({ body: { challengeId } });
    await client.updateParticipation({ params: { id }, body: { completed: true } });
    await client.awardPoints({ body: { challengeId } });
    return { params: { id: owner.me.id } };
  },
  listParticipations: async ({ owner }) => ({ query: { challengeId: (await lineOf(owner)).challengeId } }),
  listCompletions: async ({ owner }) => ({ query: { ids: owner.me.id } }),
  getTrailBook: async ({ owner }) => ({ params: { id: owner.me.id } }),
  showTrailMap: async ({ owner }) => ({ params: { id: owner.me.id }, body: { visibility: 'friends' } }),
  joinChallenge: async ({ owner }) => ({ body: { challengeId: (await newChallenge(owner)).id } }),
  updateParticipation: async ({ owner }) => ({
    params: { id: (await lineOf(owner)).id },
    body: { completed: true },
  }),
  listLog: async ({ owner }) => ({ params: { id: (await entryOf(owner)).challengeId } }),
  getLogEntry: async ({ owner }) => ({ params: { id: (await entryOf(owner)).id } }),
  listFriendsLog: async () => ({}),
  thank: async ({ another }) => ({ params: { id: (await entryOf(await another())).id } }),
  withdrawThanks: async ({ owner }) => ({ params: { id: (await entryOf(owner)).id } }),
  updateNote: async ({ owner }) => ({
    params: { id: (await entryOf(owner)).id },
    body: { note: 'Six bridges' },
  }),
  updatePhoto: async ({ owner }) => ({ params: { id: (await entryOf(owner)).id }, body: newPicture() }),
  removePhoto: async ({ owner }) => ({ params: { id: (await entryOf(owner)).id } }),
  getPhoto: async ({ owner }) => {
    const { id, photo } = await entryOf(owner);
    return { params: { id, photo } };
  },
  getChosenPicture: async ({ owner }) => ({ params: { id: (await newChallenge(owner)).id } }),
  choosePicture: async ({ owner }) => {
    const { id, challengeId } = await entryOf(owner);
    return { params: { id: challengeId }, body: { choice: id } };
  },
  getChallengePicture: async ({ owner }) => {
    const { challengeId, photo } = await entryOf(owner);
    return { params: { id: challengeId, photo } };
  },
  leaveChallenge: async ({ owner }) => ({ params: { id: (await lineOf(owner)).id } }),
  listFriendRequests: async () => ({}),
  requestFriend: async ({ another }) => ({ body: { friendId: (await another()).me.id } }),
  acceptFriend: async ({ owner }) => ({
    params: { id: (await requestBy(await newUser(owner.network), owner)).id },
  }),
  removeFriend: async ({ owner, another }) => ({
    params: { id: (await requestBy(owner, await another())).id },
  }),
  listBlocks: async () => ({}),
  blockUser: async ({ another }) => ({ body: { userId: (await another()).me.id } }),
  unblockUser: async ({ caller }) => {
    const another = await newUser(caller.network);
    await caller.client.blockUser({ body: { userId: another.me.id } });
    return { params: { userId: another.me.id } };
  },
  listConversations: async ({ owner }) => ({ params: { userId: owner.me.id } }),
  openConversation: async ({ caller, another }) => {
    const friend = await another();
    await conversationOf(caller, friend);
    return { body: { friend: { id: friend.me.id } } };
  },
  markConversationRead: async ({ owner, another }) => {
    const { id, conversationId } = await sentBy(await another(), owner);
    return { params: { id: conversationId }, body: { messageId: id } };
  },
  listMessages: async ({ owner, another }) => ({
    params: { conversationId: (await conversationOf(owner, await another())).id },
  }),
  sendMessage: async ({ caller, another }) => ({
    body: { conversationId: (await conversationOf(caller, await another())).id, text: 'Hello' },
  }),
  deleteMessage: async ({ owner, another }) => {
    const { id, conversationId } = await sentBy(owner, await another());
    return { params: { conversationId, id } };
  },
  searchPlaces: async () => ({ query: { text: 'Flushing', near: '40.76,-73.82' } }),
  reversePlace: async () => ({ query: { at: '40.76,-73.83' } }),
  nearbyPlaces: async () => ({ query: { at: '40.76,-73.82', type: 'park', radius: '5000' } }),
  listSuggestions: async () => ({ query: { at: '52.52,13.41' } }),
  getSuggestion: async () => ({ params: { id: suggestionInBerlin } }),
  listTowns: async () => ({ query: { bbox: '-74,40,-73,41' } }),
  listKnownPlaces: async () => ({ query: { bbox: '-74,40,-73,41' } }),
  getSettings: async () => ({}),
  getSitePage: async () => ({ params: { name: 'rules' }, query: { language: 'zh' } }),
  listNotifications: async ({ owner, another }) => {
    await requestBy(await another(), owner);
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
  report: async ({ another }) => ({
    body: { kind: 'challenge', id: (await newChallenge(await another())).id, reason: 'spam' },
  }),
  getPuzzle: async () => ({}),
  requestForPlace: async ({ owner }) => ({
    body: {
      challengeId: (await newChallenge(owner)).id,
      comment: 'It is in my garden',
      email: 'owner@place.example',
      nonce: 'none',
      solution: 1,
    },
    allowed: [403, 'puzzle-unsolved'],
  }),
  listOwnDecisions: async () => ({ query: { limit: '3' } }),
  appeal: async () => ({
    body: { caseId: 'challenge-987654321', comment: 'Please look again' },
    allowed: [404, 'case-not-found'],
  }),
  listCases: async () => ({}),
  getCase: async (people) => ({ params: { id: await caseOf(people) } }),
  decide: async (people) => ({
    params: { id: await caseOf(people) },
    body: { action: 'hide', note: 'Not well' },
  }),
  listAudit: async () => ({}),
  appealSuspension: async (people) => {
    const { username } = await suspended(people);
    return { body: { username, password: testPassword, comment: 'Please look again' } };
  },
  getChatPreferences: async () => ({}),
  listOwnAuthData: async () => ({}),
  listOwnUsersData: async () => ({}),
  listOwnChallengesData: async () => ({}),
  listOwnParticipationData: async () => ({}),
  listOwnFriendsData: async () => ({}),
  listOwnChatData: async () => ({}),
  listOwnNotificationsData: async () => ({}),
  listOwnModerationData: async () => ({}),
  getOwnPhoto: async () => ({ params: { id: 1, photo: '0'.repeat(32) } }),
  getArchive: async () => ({}),
  makeArchive: async () => ({}),
  downloadArchive: async () => ({ allowed: [404, 'not-found'] }),
  makeArchiveAddress: async () => ({ allowed: [404, 'not-found'] }),
  downloadArchiveByAddress: async () => ({
    params: { id: 1 },
    query: { key: '0'.repeat(43) },
    allowed: [404, 'not-found'],
  }),
  updateChatPreferences: async () => ({ body: { showTyping: false } }),
  getPrivacy: async () => ({}),
  updatePrivacy: async () => ({ body: { town: 'friends' } }),
};

/** Every operation of the contracts with its call. */
export const callable = Object.entries<Operation>(operations).map(([name, operation]) => ({
  name,
  operation,
  makeCall: calls[name as OperationName],
}));
