import type { OperationName } from '@wayquest/contracts';
import type { TestUser } from '@wayquest/testing';
import type { Call } from './calls.ts';

/** A person whose private fields have unique values, so that they can be searched for in responses. */
export interface Watched {
  user: TestUser;
  /** A challenge that they created. */
  ownChallengeId: number;
  /** A challenge in which only they participate, and one in which all do. */
  joinedIds: number[];
  participationIds: number[];
  /** Their conversation with a friend. */
  conversationId: number;
  firstName: string;
  lastName: string;
  city: string;
}

/** Calls of an operation that do not change what the other probes read. */
export interface Probe {
  /** Calls about a person, for any relation to the caller. */
  of?: (watched: Watched) => Call[];
  /** Calls about no particular person; `me` is undefined for a visitor. */
  general?: (me: TestUser | undefined) => Call[];
}

/** Returns nothing about other people. */
const none: Probe = {};
/** Reads the caller's own data. */
const own: Probe = { general: () => [{}] };

const world = '-170,-60,170,60';
const boards = ['all', 'friends', 'town'].flatMap((scope) =>
  ['all', 'month'].flatMap((period) => [
    { scope, period },
    { scope, period, around: 'me' },
  ]),
);

/** The calls of each operation that could return data of a person. A new operation does not compile without an entry. */
export const probes: Record<OperationName, Probe> = {
  getRegistration: none,
  signup: none,
  login: none,
  logout: none,
  listSessions: own,
  endSession: none,
  endSessions: none,
  changePassword: none,
  getAccount: own,
  deleteAccount: none,
  startGoogleLink: none,
  finishGoogleLink: none,
  unlinkGoogle: none,
  startOpenIdLink: none,
  finishOpenIdLink: none,
  unlinkOpenId: none,
  listPasskeys: own,
  startPasskey: none,
  addPasskey: none,
  removePasskey: none,
  startPasskeyLogin: { general: () => [{}] },
  loginWithPasskey: none,
  listAccounts: own,
  createAccount: none,
  approveAccount: none,
  declineAccount: none,
  createPasswordLink: none,
  changeRights: none,
  listInvitations: own,
  createInvitation: none,
  revokeInvitation: none,
  changeEmail: none,
  confirmEmail: none,
  forgotPassword: { of: ({ user }) => [{ body: { email: `${user.username}@nobody.example` } }] },
  getResetLink: none,
  resetPassword: none,
  changeUsername: { of: ({ user }) => [{ body: { username: user.username } }] },
  getPublicKeys: own,
  startGoogleLogin: none,
  finishGoogleLogin: none,
  startOpenIdLogin: none,
  finishOpenIdLogin: none,
  exchangeLoginCode: none,
  getMe: own,
  updateMe: { general: () => [{ body: {} }] },
  updatePicture: none,
  getPrivacy: own,
  updatePrivacy: { general: () => [{ body: {} }] },
  listUsers: {
    of: ({ user: { me, username }, firstName, lastName, city }) => [
      { query: { ids: String(me.id), limit: '1' } },
      ...[username, firstName, lastName.slice(0, -1), city].map((search) => ({ query: { search } })),
    ],
    general: () => [{}, { query: { limit: '5' } }, { query: { suggested: '20' } }],
  },
  getUser: { of: ({ user }) => [{ params: { id: user.me.id } }] },
  awardPoints: { of: ({ joinedIds }) => [{ body: { challengeId: joinedIds[0] } }] },
  listFlaggedAwards: own,
  approveAward: none,
  revokeAward: none,
  getLeaderboard: {
    of: ({ user }) => [{ query: { cursor: `1000:${user.me.id}` } }],
    general: () => boards.map((query) => ({ query })),
  },
  getProfilePicture: { of: ({ user }) => [{ params: { file: user.me.avatar } }] },
  listChallenges: {
    of: ({ user }) => [{ query: { scope: 'all', search: `own of ${user.username}` } }],
    general: () => [
      ...['all', 'mine', 'joined'].map((scope) => ({ query: { scope, limit: '10' } })),
      { query: { scope: 'all', sort: 'joined' } },
      { query: { scope: 'all', bbox: world } },
    ],
  },
  viewChallenges: { general: () => [{ query: { bbox: world, zoom: '3', scope: 'all' } }] },
  listChallengeClusters: { general: () => [{ query: { bbox: world, zoom: '3', scope: 'all' } }] },
  getChallenge: {
    of: ({ ownChallengeId, joinedIds }) => [ownChallengeId, ...joinedIds].map((id) => ({ params: { id } })),
  },
  createChallenge: none,
  createSuggestedChallenge: none,
  updateChallenge: none,
  deleteChallenge: none,
  deleteChallengesOf: none,
  listParticipations: {
    of: ({ user: { me }, joinedIds }) =>
      joinedIds.flatMap((challengeId, index) => [
        { query: { challengeId, userId: String(me.id), limit: '1' } },
        { query: { challengeId, ids: String(me.id), limit: '1' } },
        // The challenge in which all participate is read page by page once.
        ...(index === 0
          ? [{ query: { challengeId, limit: '1' } }, { query: { challengeId, completed: 'true' } }]
          : []),
      ]),
    general: () => [{}, { query: { limit: '1' } }],
  },
  listCompletions: {
    of: ({ user: { me } }) => [
      { query: { ids: String(me.id), limit: '1' } },
      { query: { ids: String(me.id) } },
    ],
  },
  getTrailBook: {
    of: ({ user }) => [{ params: { id: user.me.id } }, { params: { id: user.me.id }, query: { limit: '1' } }],
  },
  showTrailMap: {
    of: ({ user }) => [{ params: { id: user.me.id + 1_000_000 }, body: { visibility: 'me' } }],
  },
  listLog: {
    of: ({ joinedIds }) =>
      joinedIds.flatMap((id) => [{ params: { id } }, { params: { id }, query: { limit: '1' } }]),
  },
  getLogEntry: { of: ({ participationIds }) => participationIds.map((id) => ({ params: { id } })) },
  listFriendsLog: { general: () => [{}] },
  thank: none,
  withdrawThanks: none,
  updateNote: none,
  updatePhoto: none,
  removePhoto: none,
  // The photo's real name is in the log entry.
  getPhoto: {
    of: ({ participationIds }) => participationIds.map((id) => ({ params: { id, photo: '0'.repeat(32) } })),
  },
  getChosenPicture: none,
  choosePicture: none,
  getChallengePicture: {
    of: ({ joinedIds }) => joinedIds.map((id) => ({ params: { id, photo: '0'.repeat(32) } })),
  },
  joinChallenge: { of: ({ joinedIds }) => [{ body: { challengeId: joinedIds[0] } }] },
  updateParticipation: {
    of: ({ participationIds }) =>
      participationIds.map((id) => ({ params: { id }, body: { completed: true } })),
  },
  leaveChallenge: none,
  listFriendRequests: {
    of: ({ user }) => [{ query: { with: String(user.me.id) } }],
    general: () => [{}, { query: { status: 'accepted', limit: '5' } }],
  },
  requestFriend: { of: ({ user }) => [{ body: { friendId: user.me.id } }] },
  acceptFriend: { of: () => [{ params: { id: 1 } }] },
  removeFriend: none,
  listBlocks: own,
  blockUser: none,
  unblockUser: none,
  listConversations: {
    of: ({ user }) => [{ params: { userId: user.me.id } }],
    general: (me) => (me ? [{ params: { userId: me.me.id } }] : []),
  },
  openConversation: { of: ({ user }) => [{ body: { friend: { id: user.me.id } } }] },
  markConversationRead: {
    of: ({ conversationId }) => [{ params: { id: conversationId }, body: { messageId: 1 } }],
  },
  listMessages: { of: ({ conversationId }) => [{ params: { conversationId } }] },
  sendMessage: none,
  deleteMessage: {
    of: ({ conversationId }) => [{ params: { conversationId, id: 1 } }],
  },
  getChatPreferences: own,
  updateChatPreferences: { general: () => [{ body: { showTyping: true } }] },
  listNotifications: { general: () => [{}, { query: { limit: '1' } }] },
  countUnreadNotifications: own,
  markNotificationsRead: none,
  getNotificationPreferences: own,
  updateNotificationPreferences: none,
  getPushKey: own,
  subscribeToPush: none,
  unsubscribeFromPush: none,
  report: {
    of: ({ user }) => [{ body: { kind: 'user', id: user.me.id, reason: 'other', comment: 'Look' } }],
  },
  getPuzzle: own,
  requestForPlace: none,
  listOwnDecisions: own,
  appeal: { of: ({ user }) => [{ body: { caseId: `user-${user.me.id}`, comment: 'Look again' } }] },
  listCases: own,
  getCase: { of: ({ user }) => [{ params: { id: `user-${user.me.id}` } }] },
  decide: none,
  listAudit: own,
  appealSuspension: none,
  // External servers, which have no data of users.
  searchPlaces: none,
  reversePlace: none,
  nearbyPlaces: none,
  listSuggestions: { general: () => [{ query: { at: '52.52,13.41' } }] },
  getSuggestion: none,
  listTowns: { general: () => [{ query: { bbox: '-74,40,-73,41' } }] },
  listKnownPlaces: { general: () => [{ query: { bbox: '-74,40,-73,41' } }] },
  getSettings: own,
  getSitePage: { general: () => [{ params: { name: 'rules' } }] },
  // Internal ones reach no client; the archive contains what they return.
  listOwnAuthData: none,
  listOwnUsersData: none,
  listOwnChallengesData: none,
  listOwnParticipationData: none,
  listOwnFriendsData: none,
  listOwnChatData: none,
  listOwnNotificationsData: none,
  listOwnModerationData: none,
  getOwnPhoto: none,
  getArchive: own,
  makeArchive: none,
  // Created before, and unpacked.
  downloadArchive: own,
  // The same file, for whoever has its address.
  makeArchiveAddress: none,
  downloadArchiveByAddress: none,
};
