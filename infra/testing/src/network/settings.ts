import type { Timeouts } from '@wayquest/platform/async';
import type { Environment } from '@wayquest/platform/settings';

/** For tests that are not about outages, so that they do not fail on a busy machine. */
export const longTimeouts: Timeouts = { storeCallMs: 30_000, redisCommandMs: 30_000 };

const unlimitedSetting = '1000000';

/** Settings without rate limits, for tests that are not about limits. */
export const settingsWithoutLimits: Environment = {
  RATE_LIMIT_PER_IP: unlimitedSetting,
  RATE_LIMIT_PER_TOKEN: unlimitedSetting,
  RATE_LIMIT_PER_ACCOUNT: unlimitedSetting,
  RATE_LIMIT_LOGIN_PER_IP: unlimitedSetting,
  MAX_CONCURRENT_REQUESTS_PER_IP: unlimitedSetting,
  MAX_CONCURRENT_REQUESTS_PER_TOKEN: unlimitedSetting,
  MAX_SOCKETS_PER_IP: unlimitedSetting,
  CHALLENGES_PER_MINUTE: unlimitedSetting,
  CHALLENGES_PER_DAY: unlimitedSetting,
  COMPLETIONS_PER_MINUTE: unlimitedSetting,
  COMPLETIONS_PER_DAY: unlimitedSetting,
  PHOTOS_PER_HOUR: unlimitedSetting,
  MESSAGES_PER_MINUTE: unlimitedSetting,
  MESSAGES_UNANSWERED: unlimitedSetting,
  FRIEND_REQUESTS_PER_DAY: unlimitedSetting,
  PICTURES_PER_HOUR: unlimitedSetting,
  ARCHIVES_PER_DAY: unlimitedSetting,
  REPORTS_PER_MINUTE: unlimitedSetting,
  REPORTS_PER_DAY: unlimitedSetting,
  PLACE_REQUESTS_PER_DAY: unlimitedSetting,
  // All users in tests are new.
  REPORTER_DAYS: '0',
  NEW_ACCOUNT_HOURS: '0',
};

/** Thousands of people sign up in a run, so hashing a password has to be fast. */
export const testPasswordLimits = { memoryCost: 64 };

export const unlimited = { max: 1_000_000, seconds: 1 };

/** Limits of login attempts, which the auth service counts separately. */
export const attemptsWithoutLimits = {
  accountAndAddress: unlimited,
  account: unlimited,
  address: unlimited,
  signup: unlimited,
  passwordRequests: unlimited,
  links: unlimited,
};
