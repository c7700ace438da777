import type { OperationName } from '@wayquest/contracts';
import { newChallenge } from '@wayquest/testing';
import type { Call, People } from './calls.ts';

const bbox = '-74,40,-73,41';
const world = '-170,-60,170,60';
const last = { limit: '3', cursor: '9007199254740991' };

const idsOf = async ({ owner, another }: People) => `${owner.me.id},${(await another()).me.id}`;

/** Further queries of each operation, in addition to `calls.ts`: every parameter, and combinations that change the store's query. */
export const queryVariants: Partial<
  Record<OperationName, (people: People) => Promise<NonNullable<Call['query']>[]>>
> = {
  listUsers: async (people) => [
    {},
    { search: 'user' },
    { ids: await idsOf(people) },
    { limit: '2', cursor: '1' },
  ],
  listAccounts: async () => [
    ...['all', 'waiting', 'suspended', 'admins'].flatMap((filter) => [
      { filter },
      { filter, search: 'fresh', limit: '3', cursor: 'fresh-1' },
    ]),
    { search: 'fresh@' },
  ],
  listFlaggedAwards: async () => [{}, { limit: '2', cursor: '2026-01-01T00:00:00.000Z' }],
  getLeaderboard: async ({ owner }) =>
    ['all', 'friends', 'town'].flatMap((scope) =>
      ['all', 'month'].flatMap((period) => [
        { scope, period, page: '1' },
        { scope, period, around: 'me' },
        { scope, period, cursor: `0:${owner.me.id}` },
      ]),
    ),
  listChallenges: async () =>
    ['all', 'mine', 'joined'].flatMap((scope) => [
      { scope },
      { scope, open: 'true', difficulty: 'Easy', placeCategory: 'park', ...last },
      { scope, phase: 'upcoming', sort: 'joined', cursor: '3:5' },
      { scope, phase: 'ended' },
      { scope, sort: 'ending', cursor: '2030-01-01:5' },
      { scope, search: 'challenge' },
      { scope, bbox, total: 'true' },
      { scope, open: 'true', total: 'true' },
      { scope, near: '40.76,-73.82', search: 'challenge', total: 'true' },
      { scope, bbox: world, total: 'true' },
      { scope, placeCategory: 'park', total: 'true' },
      { scope, difficulty: 'Easy', total: 'true' },
      { scope, near: '40.76,-73.82', radius: '900', search: 'challenge' },
      { scope, near: '40.76,-73.82' },
      { scope, near: '40.76,-73.82', sort: 'nearest', total: 'true' },
      { scope, near: '40.76,-73.82', radius: '900', sort: 'newest', total: 'true' },
    ]),
  listSuggestions: async () => [{ at: '52.52,13.41', language: 'zh' }],
  getSuggestion: async () => [{ language: 'zh' }],
  viewChallenges: async () => [
    { bbox: world, zoom: '3', scope: 'mine', difficulty: 'Easy', open: 'true', search: 'challenge' },
    { bbox: world, zoom: '17', scope: 'all', near: '40.76,-73.82' },
  ],
  listChallengeClusters: async () => [
    { bbox: world, zoom: '3', scope: 'all', difficulty: 'Easy', open: 'true' },
    { bbox: world, zoom: '3', scope: 'all', search: 'challenge' },
    { bbox, zoom: '12', scope: 'mine' },
    { bbox, zoom: '12', scope: 'all', search: 'challenge' },
  ],
  listParticipations: async (people) => {
    const challengeId = String((await newChallenge(people.owner)).id);
    return [
      {},
      { completed: 'true', ...last },
      { challengeId, userId: String(people.owner.me.id) },
      { challengeId, ids: await idsOf(people) },
      { challengeId, completed: 'true', cursor: '1' },
    ];
  },
  listLog: async () => [{ limit: '3', cursor: `${new Date().toISOString()}~5` }],
  listFriendsLog: async () => [{ limit: '3' }],
  getPhoto: async () => [{ size: 'card' }],
  getChallengePicture: async () => [{ size: 'card' }],
  listCompletions: async (people) => [{ ids: await idsOf(people), limit: '3' }],
  getTrailBook: async () => [last],
  listFriendRequests: async ({ another }) => {
    const { me } = await another();
    return [
      { status: 'accepted', limit: '3', cursor: '1' },
      { with: String(me.id) },
      // As another service requests it before its event has arrived.
      { status: 'accepted', with: String(me.id) },
    ];
  },
  listMessages: async () => [{ before: last.cursor }, { after: '1', limit: '3' }],
  listOwnAuthData: async () => [{ cursor: '0~1' }],
  listOwnUsersData: async () => [{ cursor: '0~1' }],
  listOwnChallengesData: async () => [{ cursor: '0~1' }],
  listOwnParticipationData: async () => [{ cursor: '0~1' }],
  listOwnFriendsData: async () => [{ cursor: '0~1' }],
  listOwnChatData: async () => [{ cursor: '0~1' }, { cursor: '1~1' }],
  listOwnNotificationsData: async () => [{ cursor: '0~1' }],
  listOwnModerationData: async () => [{ cursor: '0~1:challenge-1' }, { cursor: '1~challenge-1:1' }],
  listOwnDecisions: async () => [{}, { limit: '3', cursor: `${new Date().toISOString()}~challenge-1:1` }],
  listCases: async () => [
    { limit: '3', cursor: `1~${new Date().toISOString()}~challenge-1` },
    { sort: 'age', cursor: `${new Date().toISOString()}~challenge-1` },
  ],
  listAudit: async ({ owner }) => [
    { by: String(owner.me.id), limit: '3', cursor: `${new Date().toISOString()}~challenge-1:1` },
  ],
  listNotifications: async () => [{ limit: '3', cursor: `${new Date().toISOString()}~friend-requested:1` }],
};
