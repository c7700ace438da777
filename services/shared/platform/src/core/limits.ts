import type { ProblemCode, ServiceName } from '@wayquest/contracts';

/** A limit on what a client may do. `infra/docs/limits.md` is generated from all of them. */
export interface Limit {
  /** Where it is enforced. */
  part: ServiceName | 'gateway' | 'every service';
  /** Prefix of the keys of its counters, if it has any; unique. */
  name: string;
  /** What is counted, in the plural. */
  counts: string;
  /** What has a counter of its own: an account, an address … */
  per: string;
  /** How many are allowed, unless `setting` says otherwise. */
  max: number;
  /** The window in seconds; it begins with the first one counted. Without it: at the same time, or in total. */
  seconds?: number;
  /** `memory`: each process counts for itself. `Redis`: all together; each for itself while Redis is unavailable. */
  storedIn: 'memory' | 'memory, shared through Redis' | 'Redis' | 'the store';
  /** The setting that changes `max`. */
  setting?: string;
  /** What exceeds it is rejected with this problem. */
  problem?: ProblemCode;
  /** What else happens, or happens instead. */
  effect?: string;
  /** The sentence that the person reads, for `max`; the problem's title without it. */
  detail?: (max: number) => string;
}

/** A limit of a number in a window. */
export type RateLimit = Pick<Limit, 'name' | 'max' | 'detail'> & { seconds: number; problem: ProblemCode };

/** How many in how many seconds: what replaces the numbers of a limit. */
export type Allowance = Pick<RateLimit, 'max' | 'seconds'>;

const minute = 60;
const quarterHour = 15 * minute;
const hour = 60 * minute;
const day = 24 * hour;

/** 'You've reached the limit of 20 photos an hour. Please try again later.' */
const limitReached = (one: string, many: string, window: string, advice: string) => (max: number) =>
  `You've reached the limit of ${max} ${max === 1 ? one : many} ${window}. ${advice}`;

const waitAMoment = 'Please wait a moment.';
const tryLater = 'Please try again later.';
const tryTomorrow = 'Please try again tomorrow.';

const tooMany = 'too-many-requests';
const address = 'IPv4 address or IPv6 /64';

/** Ten requests wait for each slot; what cannot start within the timeout of a connection is rejected. */
const queueEffect = { effect: 'ten requests for each of them wait before one is rejected' } as const;

/** Failed logins and the like, which auth counts, with hashed keys. */
const attempts = { part: 'auth', storedIn: 'Redis', problem: 'too-many-attempts' } as const;

/** Nobody is locked out: one attempt at a time is allowed after a pause, which doubles with each failure. */
const slowdownEffect = { effect: 'one attempt at a time after a pause of 5 to 60 seconds' } as const;

/** What an account does, counted by the service that does it. */
const perAccount = { per: 'account', storedIn: 'Redis', problem: tooMany } as const;

/**
 * Every limit. A service passes its entry, or its maximum and window, to what enforces it; with another `max` where a setting says
 * so.
 */
export const limits = {
  requestsPerAddress: {
    ...{
      part: 'gateway',
      name: 'address',
      counts: 'requests, also for pages and files',
      per: address,
      max: 6_000,
      seconds: minute,
    },
    ...{ storedIn: 'memory, shared through Redis', setting: 'RATE_LIMIT_PER_IP', problem: tooMany },
  },
  requestsPerToken: {
    ...{ part: 'gateway', name: 'caller', counts: 'requests', per: `token, or ${address} without one` },
    ...{ max: 600, seconds: minute, storedIn: 'memory, shared through Redis' },
    ...{ setting: 'RATE_LIMIT_PER_TOKEN', problem: tooMany },
  },
  attemptsPerAddress: {
    ...{ part: 'gateway', name: 'attempts', counts: 'logins, sign-ups and other attempts', per: address },
    ...{ max: 200, seconds: 10 * minute, storedIn: 'Redis', setting: 'RATE_LIMIT_LOGIN_PER_IP' },
    problem: 'too-many-attempts',
  },
  concurrentRequestsPerAddress: {
    ...{ part: 'gateway', name: 'concurrent-address', counts: 'concurrent requests', per: address },
    ...{
      max: 150,
      storedIn: 'memory',
      setting: 'MAX_CONCURRENT_REQUESTS_PER_IP',
      problem: tooMany,
      ...queueEffect,
    },
  },
  concurrentRequestsPerToken: {
    ...{ part: 'gateway', name: 'concurrent-caller', counts: 'concurrent requests' },
    ...{ per: `token (twice as many for an ${address} without one)`, max: 12, storedIn: 'memory' },
    ...{ setting: 'MAX_CONCURRENT_REQUESTS_PER_TOKEN', problem: tooMany, ...queueEffect },
  },
  socketsPerAddress: {
    ...{ part: 'gateway', name: 'sockets', counts: 'open sockets and long polls', per: address },
    ...{ max: 300, storedIn: 'memory', setting: 'MAX_SOCKETS_PER_IP', problem: tooMany },
  },
  rejections: {
    ...{
      part: 'gateway',
      name: 'rejections',
      counts: 'rejected requests',
      per: address,
      max: 20,
      seconds: 1,
    },
    ...{ storedIn: 'memory', effect: 'further rejections are sent a second later' },
  },
  requestsPerAccount: {
    ...{ ...perAccount, part: 'every service', name: 'account', storedIn: 'memory' },
    counts: 'requests to one process of a service, by their weight',
    ...{ max: 600, seconds: minute, setting: 'RATE_LIMIT_PER_ACCOUNT' },
  },

  failuresPerAccountAndAddress: {
    ...{ ...attempts, name: 'auth-accountAndAddress', counts: 'failed attempts', max: 10 },
    ...{ per: `account and ${address}`, seconds: quarterHour, ...slowdownEffect },
  },
  failuresPerAccount: {
    ...{ ...attempts, name: 'auth-account', counts: 'failed attempts', max: 30, seconds: hour },
    ...{ per: 'account, from networks that its owner has not used', ...slowdownEffect },
  },
  failuresPerAddress: {
    ...{ ...attempts, name: 'auth-address', counts: 'failed attempts', max: 300, seconds: quarterHour },
    per: `${address}, at accounts whose owners have not used it`,
  },
  signups: {
    ...{ ...attempts, name: 'auth-signup', counts: 'new accounts', per: address, max: 500, seconds: hour },
  },
  waitingAccounts: {
    ...{ part: 'auth', name: 'waiting-accounts', counts: 'accounts that wait for approval' },
    ...{ per: 'installation', max: 5_000, storedIn: 'the store', problem: 'registration-full' },
    effect: 'each is deleted after 30 days without an answer',
  },
  passwordRequests: {
    ...{ ...attempts, name: 'auth-password-requests', counts: 'requests for a new password', per: address },
    ...{ max: 30, seconds: hour },
  },
  mailedLinks: {
    ...{ ...attempts, name: 'auth-links', counts: 'links by mail', per: 'account or mail address' },
    ...{ max: 5, seconds: hour },
  },
  passwordQueue: {
    ...{
      part: 'auth',
      name: 'passwords',
      counts: 'passwords waiting to be hashed',
      per: 'process',
      max: 400,
    },
    ...{ storedIn: 'memory', problem: 'service-unavailable' },
  },
  passkeys: {
    ...{ part: 'auth', name: 'passkeys', counts: 'passkeys', per: 'account', max: 20 },
    ...{ storedIn: 'the store', problem: 'too-many-passkeys' },
  },

  usernameChanges: {
    ...{ ...perAccount, part: 'auth', name: 'username-changes', counts: 'changes of the username', max: 3 },
    ...{ seconds: day, detail: limitReached('new username', 'new usernames', 'a day', tryTomorrow) },
  },
  reservedUsernames: {
    ...{ part: 'auth', name: 'reserved-usernames', counts: 'usernames given up in the last 90 days' },
    ...{ per: 'account', max: 10, storedIn: 'the store', problem: tooMany },
    detail: (max) =>
      `You've given up ${max} usernames in the last 90 days, which are reserved for you. Please use one of them, or try again later.`,
  },

  pictures: {
    ...{ ...perAccount, part: 'users', name: 'pictures', counts: 'new pictures', max: 10, seconds: hour },
    ...{ setting: 'PICTURES_PER_HOUR', detail: limitReached('picture', 'pictures', 'an hour', tryLater) },
  },
  profileChanges: {
    ...{ ...perAccount, part: 'users', name: 'profile-changes', counts: 'changes of profile and privacy' },
    ...{ max: 20, seconds: minute, detail: limitReached('change', 'changes', 'a minute', waitAMoment) },
  },
  archives: {
    ...{ ...perAccount, part: 'users', name: 'archives', counts: 'requests for a copy of one’s data' },
    ...{ max: 3, seconds: day, setting: 'ARCHIVES_PER_DAY' },
    detail: limitReached('data request', 'data requests', 'a day', tryLater),
  },
  archiveQueue: {
    ...{
      part: 'users',
      name: 'archive-queue',
      counts: 'archives waiting to be made',
      per: 'process',
      max: 20,
    },
    ...{ storedIn: 'memory', problem: 'service-unavailable' },
  },
  pictureQueue: {
    ...{ part: 'every service', name: 'picture-queue', counts: 'pictures waiting to be decoded' },
    ...{ per: 'process', max: 20, storedIn: 'memory', problem: 'service-unavailable' },
  },

  challengesPerMinute: {
    ...{ ...perAccount, part: 'challenges', name: 'challenges-minute', counts: 'new challenges', max: 20 },
    ...{ seconds: minute, setting: 'CHALLENGES_PER_MINUTE' },
    detail: limitReached('challenge', 'challenges', 'a minute', waitAMoment),
  },
  challengesPerDay: {
    ...{ ...perAccount, part: 'challenges', name: 'challenges-day', counts: 'new challenges', max: 100 },
    ...{ seconds: day, setting: 'CHALLENGES_PER_DAY' },
    detail: limitReached('challenge', 'challenges', 'a day', tryTomorrow),
  },
  changesPerMinute: {
    ...{
      ...perAccount,
      part: 'challenges',
      name: 'changes-minute',
      counts: 'changes to challenges',
      max: 20,
    },
    ...{ seconds: minute, setting: 'CHALLENGES_PER_MINUTE' },
    detail: limitReached('change', 'changes', 'a minute', waitAMoment),
  },
  changesPerDay: {
    ...{ ...perAccount, part: 'challenges', name: 'changes-day', counts: 'changes to challenges', max: 100 },
    ...{ seconds: day, setting: 'CHALLENGES_PER_DAY' },
    detail: limitReached('change', 'changes', 'a day', tryTomorrow),
  },

  completionsPerMinute: {
    ...{ ...perAccount, part: 'participation', name: 'completions-minute', counts: 'completed challenges' },
    ...{ max: 20, seconds: minute, setting: 'COMPLETIONS_PER_MINUTE' },
    detail: limitReached('completed challenge', 'completed challenges', 'a minute', waitAMoment),
  },
  completionsPerDay: {
    ...{ ...perAccount, part: 'participation', name: 'completions-day', counts: 'completed challenges' },
    ...{ max: 100, seconds: day, setting: 'COMPLETIONS_PER_DAY' },
    detail: limitReached('completed challenge', 'completed challenges', 'a day', tryTomorrow),
  },
  logChangesPerMinute: {
    ...{ ...perAccount, part: 'participation', name: 'log-changes-minute', max: 20, seconds: minute },
    ...{ counts: 'changes to notes, photos and thanks', setting: 'COMPLETIONS_PER_MINUTE' },
    detail: limitReached('change', 'changes', 'a minute', waitAMoment),
  },
  logChangesPerDay: {
    ...{ ...perAccount, part: 'participation', name: 'log-changes-day', max: 100, seconds: day },
    ...{ counts: 'changes to notes, photos and thanks', setting: 'COMPLETIONS_PER_DAY' },
    detail: limitReached('change', 'changes', 'a day', tryTomorrow),
  },
  photos: {
    ...{ ...perAccount, part: 'participation', name: 'photos', counts: 'new photos', max: 20, seconds: hour },
    ...{ setting: 'PHOTOS_PER_HOUR', detail: limitReached('photo', 'photos', 'an hour', tryLater) },
  },

  friendRequests: {
    ...{ ...perAccount, part: 'friends', name: 'friend-requests', counts: 'calls to send a friend request' },
    ...{ max: 60, seconds: minute },
  },
  friendRequestsPerDay: {
    ...{ ...perAccount, part: 'friends', name: 'friend-requests-day', counts: 'friend requests', max: 200 },
    ...{ seconds: day, setting: 'FRIEND_REQUESTS_PER_DAY', problem: 'daily-limit-reached' },
  },
  friendRequestsToOne: {
    ...{ part: 'friends', name: 'friend-requests-to-one', counts: 'friend requests', max: 5, seconds: day },
    ...{ per: 'account and receiver', storedIn: 'the store', problem: tooMany },
    detail: () => 'You recently sent this person a friend request. Please try again later.',
  },
  declinedRequests: {
    ...{ part: 'friends', name: 'declined-requests', counts: 'declined friend requests', max: 1 },
    ...{ per: 'account and receiver', seconds: 7 * day, storedIn: 'the store', problem: tooMany },
    detail: () => 'You recently sent this person a friend request. Please try again later.',
  },
  blockChanges: {
    ...{ ...perAccount, part: 'friends', name: 'block-changes', counts: 'people blocked and unblocked' },
    ...{ max: 30, seconds: minute, detail: limitReached('change', 'changes', 'a minute', waitAMoment) },
  },
  blocks: {
    ...{ part: 'friends', name: 'blocks', counts: 'blocked people', per: 'account', max: 1_000 },
    ...{ storedIn: 'the store', problem: 'invalid-request' },
    detail: (max) => `must not be blocked beyond the limit of ${max}: unblock someone first`,
  },

  messages: {
    ...{ ...perAccount, part: 'chat', name: 'messages', counts: 'messages', per: 'account and receiver' },
    ...{ max: 60, seconds: minute, setting: 'MESSAGES_PER_MINUTE' },
    detail: () => "You're sending messages too quickly. Please wait a moment.",
  },
  unansweredMessages: {
    ...{ part: 'chat', name: 'unanswered', counts: 'messages to somebody who has never replied', max: 50 },
    ...{ per: 'account and receiver', storedIn: 'the store', setting: 'MESSAGES_UNANSWERED' },
    problem: 'awaiting-reply',
  },

  pushSubscriptions: {
    ...{ part: 'notifications', name: 'push', counts: 'browsers that receive push messages', max: 10 },
    ...{ per: 'account', storedIn: 'the store', effect: 'the oldest one is removed' },
  },

  reportsPerMinute: {
    ...{ ...perAccount, part: 'moderation', name: 'reports-minute', counts: 'reports', max: 5 },
    ...{ seconds: minute, setting: 'REPORTS_PER_MINUTE' },
    detail: limitReached('report', 'reports', 'a minute', waitAMoment),
  },
  reportsPerDay: {
    ...{ ...perAccount, part: 'moderation', name: 'reports-day', counts: 'reports', max: 30 },
    ...{ seconds: day, setting: 'REPORTS_PER_DAY' },
    detail: limitReached('report', 'reports', 'a day', tryTomorrow),
  },
  placeRequests: {
    ...{ ...perAccount, part: 'moderation', name: 'place-requests', per: address, max: 5, seconds: day },
    ...{ counts: 'requests to remove a challenge from one’s property', setting: 'PLACE_REQUESTS_PER_DAY' },
    detail: limitReached('request', 'requests', 'a day from one network', tryTomorrow),
  },

  placeCalls: {
    ...{ part: 'places', name: 'places', counts: 'requests', per: `account, or ${address} without one` },
    ...{ max: 120, seconds: minute, storedIn: 'Redis', problem: tooMany },
  },
  placeQueue: {
    ...{
      part: 'places',
      name: 'place-queue',
      counts: 'waiting requests',
      per: 'external server and process',
    },
    ...{ max: 4, storedIn: 'memory', problem: 'places-unavailable' },
  },
  placeWork: {
    ...{ part: 'places', name: 'place-work', counts: 'challenges waiting to be located', per: 'account' },
    ...{ max: 10, storedIn: 'memory', effect: 'further challenges are located later' },
  },

  socketEvents: {
    ...{ ...perAccount, part: 'realtime', name: 'socket-events', counts: 'socket events', max: 100 },
    ...{ seconds: 10, storedIn: 'memory' },
  },
  socketPackets: {
    ...{ part: 'realtime', name: 'packets', counts: 'packets', per: 'connection', max: 200, seconds: 10 },
    ...{ storedIn: 'memory', effect: 'the connection is closed' },
  },
  tabs: {
    ...{ part: 'realtime', name: 'tabs', counts: 'open sockets', per: 'account and node', max: 50 },
    ...{ storedIn: 'memory', problem: tooMany },
  },
} as const satisfies Record<string, Limit>;

/** 'minute', '10 minutes', 'day'; undefined without a window. */
export function windowOf({ seconds }: Pick<Limit, 'seconds'>): string | undefined {
  if (seconds === undefined) return undefined;
  const units = { day, hour, minute, second: 1 };
  for (const [unit, length] of Object.entries(units)) {
    const count = seconds / length;
    if (Number.isInteger(count)) return count === 1 ? unit : `${count} ${unit}s`;
  }
  return `${seconds} seconds`;
}
