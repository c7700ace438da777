import type { Environment } from '@wayquest/platform/process';

const plenty = '1000000';

/** Settings without rate limits, for tests that are not about limits. */
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
  PHOTOS_PER_HOUR: plenty,
  MESSAGES_PER_MINUTE: plenty,
  MESSAGES_UNANSWERED: plenty,
  FRIEND_REQUESTS_PER_DAY: plenty,
  PICTURES_PER_HOUR: plenty,
  ARCHIVES_PER_DAY: plenty,
  REPORTS_PER_MINUTE: plenty,
  REPORTS_PER_DAY: plenty,
  PLACE_REQUESTS_PER_DAY: plenty,
  // All users in tests are new.
  REPORTER_DAYS: '0',
  NEW_ACCOUNT_HOURS: '0',
};

export const unlimited = { max: 1_000_000, seconds: 1 };

/** The same for login attempts, which are counted separately. */
export const attemptsWithoutLimits = {
  accountAndAddress: unlimited,
  account: unlimited,
  address: unlimited,
  signup: unlimited,
  forgotten: unlimited,
  links: unlimited,
};
