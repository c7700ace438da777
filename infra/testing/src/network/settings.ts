import type { Environment } from '@wayquest/platform/process';

const plenty = '1000000';

/** Nobody is limited, unless a test is about limits. */
export const settingsWithoutLimits: Environment = {
  RATE_LIMIT_PER_IP: plenty,
  RATE_LIMIT_PER_TOKEN: plenty,
  RATE_LIMIT_PER_ACCOUNT: plenty,
  RATE_LIMIT_LOGIN_PER_IP: plenty,
  MAX_CONCURRENT_REQUESTS_PER_IP: plenty,
  MAX_CONCURRENT_REQUESTS_PER_TOKEN: plenty,
  MAX_SOCKETS_PER_IP: plenty,
  CHALLENGES_PER_MINUTE: plenty,
  CHALLENGES_PER_DAY: plenty,
  COMPLETIONS_PER_MINUTE: plenty,
  COMPLETIONS_PER_DAY: plenty,
  MESSAGES_PER_MINUTE: plenty,
  MESSAGES_UNANSWERED: plenty,
  FRIEND_REQUESTS_PER_DAY: plenty,
  PICTURES_PER_HOUR: plenty,
  ARCHIVES_PER_DAY: plenty,
  REPORTS_PER_MINUTE: plenty,
  REPORTS_PER_DAY: plenty,
  PLACE_REQUESTS_PER_DAY: plenty,
  // Everybody in a test is new.
  REPORTER_DAYS: '0',
  NEW_ACCOUNT_HOURS: '0',
};

export const unlimited = { points: 1_000_000, seconds: 1 };

/** The same of attempts to log in, which are counted otherwise. */
export const attemptsWithoutLimits = {
  accountAndAddress: unlimited,
  account: unlimited,
  address: unlimited,
  signup: unlimited,
  forgotten: unlimited,
  links: unlimited,
};
