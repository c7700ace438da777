import type { OperationName } from '@wayquest/contracts';
import type { TestUser } from '@wayquest/testing';
import type { Call } from './calls.ts';

/** Somebody of whom every private field is nobody else's, so that each byte of it in an answer is theirs. */
export interface Watched {
  user: TestUser;
  /** A challenge of their own making. */
  ownChallengeId: number;
  /** What they alone take part in, and what all do. */
  joinedIds: number[];
  lineIds: number[];
  /** With a friend. */
  conversationId: number;
  firstName: string;
  lastName: string;
  city: string;
}

/** What a call asks; nothing that the other calls here would miss changes by it. */
export interface Probe {
  /** Of a person, whoever they are to the caller. */
  of?: (watched: Watched) => Call[];
  /** Of nobody in particular. `me` is missing where nobody is logged in. */
  general?: (me: TestUser | undefined) => Call[];
}

/** Answers their caller, or nobody, about the call alone. */
const nobody: Probe = {};
/** Reads what is the caller's own. */
const own: Probe = { general: () => [{}] };

const world = '-170,-60,170,60';
const boards = ['all', 'friends', 'town'].flatMap((scope) =>
  ['all', 'month'].flatMap((period) => [
    { scope, period },
    { scope, period, around: 'me' },
  ]),
);

/** Whatever could tell of a person, by every operation. A new one does not compile without a decision. */
export const probes: Record<OperationName, Probe> = {
  signup: nobody,
  login: nobody,
  logout: nobody,
  listSessions: own,
  endSession: nobody,
  endSessions: nobody,
  changePassword: nobody,
  getAccount: own,
  deleteAccount: nobody,
  startGoogleLink: nobody,
  finishGoogleLink: nobody,
  unlinkGoogle: nobody,
  listPasskeys: own,
  startPasskey: nobody,
  addPasskey: nobody,
  removePasskey: nobody,
  startPasskeyLogin: { general: () => [{}] },
  loginWithPasskey: nobody,
  changeEmail: nobody,
  confirmEmail: nobody,
  forgotPassword: { of: ({ user }) => [{ body: { email: `${user.username}@nobody.example` } }] },
  resetPassword: nobody,
  changeUsername: { of: ({ user }) => [{ body: { username: user.username } }] },
  getPublicKeys: own,
  startGoogleLogin: nobody,
  finishGoogleLogin: nobody,
  exchangeLoginCode: nobody,
  getMe: own,
  updateMe: { general: () => [{ body: {} }] },
  updatePicture: nobody,
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
  approveAward: nobody,
  revokeAward: nobody,
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
  createChallenge: nobody,
  createSuggestedChallenge: nobody,
  updateChallenge: nobody,
  deleteChallenge: nobody,
  deleteChallengesOf: nobody,
  listLines: {
    of: ({ user: { me }, joinedIds }) =>
      joinedIds.flatMap((challengeId, index) => [
        { query: { challengeId, userId: String(me.id), limit: '1' } },
        { query: { challengeId, ids: String(me.id), limit: '1' } },
        // What all take part in is leafed through once.
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
  getLogEntry: { of: ({ lineIds }) => lineIds.map((id) => ({ params: { id } })) },
  updateNote: nobody,
  updatePhoto: nobody,
  removePhoto: nobody,
  // Its name is in the entry.
  getPhoto: { of: ({ lineIds }) => lineIds.map((id) => ({ params: { id, photo: '0'.repeat(32) } })) },
  joinChallenge: { of: ({ joinedIds }) => [{ body: { challengeId: joinedIds[0] } }] },
  updateLine: { of: ({ lineIds }) => lineIds.map((id) => ({ params: { id }, body: { completed: true } })) },
  leaveChallenge: nobody,
  listFriendRequests: {
    of: ({ user }) => [{ query: { with: String(user.me.id) } }],
    general: () => [{}, { query: { status: 'accepted', limit: '5' } }],
  },
  requestFriend: { of: ({ user }) => [{ body: { friendId: user.me.id } }] },
  acceptFriend: { of: () => [{ params: { id: 1 } }] },
  removeFriend: nobody,
  listBlocks: own,
  blockUser: nobody,
  unblockUser: nobody,
  listConversations: {
    of: ({ user }) => [{ params: { userId: user.me.id } }],
    general: (me) => (me ? [{ params: { userId: me.me.id } }] : []),
  },
  openConversation: { of: ({ user }) => [{ body: { friend: { id: user.me.id } } }] },
  markConversationRead: {
    of: ({ conversationId }) => [{ params: { id: conversationId }, body: { messageId: 1 } }],
  },
  listMessages: { of: ({ conversationId }) => [{ params: { conversationId } }] },
  sendMessage: nobody,
  getChatPreferences: own,
  updateChatPreferences: { general: () => [{ body: { showTyping: true } }] },
  listNotifications: { general: () => [{}, { query: { limit: '1' } }] },
  countUnreadNotifications: own,
  markNotificationsRead: nobody,
  getNotificationPreferences: own,
  updateNotificationPreferences: nobody,
  getPushKey: own,
  subscribeToPush: nobody,
  unsubscribeFromPush: nobody,
  report: { of: ({ user }) => [{ body: { kind: 'user', id: user.me.id, reason: 'other', words: 'Look' } }] },
  getPuzzle: own,
  requestForPlace: nobody,
  listOwnDecisions: own,
  appeal: { of: ({ user }) => [{ body: { caseId: `user-${user.me.id}`, words: 'Look again' } }] },
  listCases: own,
  getCase: { of: ({ user }) => [{ params: { id: `user-${user.me.id}` } }] },
  decide: nobody,
  listAudit: own,
  appealSuspension: nobody,
  // Other servers answer these, who know nobody.
  searchPlaces: nobody,
  reversePlace: nobody,
  nearbyPlaces: nobody,
  listSuggestions: { general: () => [{ query: { at: '52.52,13.41' } }] },
  getSuggestion: nobody,
  listTowns: { general: () => [{ query: { bbox: '-74,40,-73,41' } }] },
  listKnownPlaces: { general: () => [{ query: { bbox: '-74,40,-73,41' } }] },
  getSettings: own,
  listOwnAuthData: own,
  listOwnUsersData: own,
  listOwnChallengesData: own,
  listOwnParticipationData: own,
  listOwnFriendsData: own,
  listOwnChatData: own,
  listOwnNotificationsData: own,
  listOwnModerationData: own,
  getArchive: own,
  makeArchive: nobody,
  // Made before, and unpacked.
  downloadArchive: own,
};
