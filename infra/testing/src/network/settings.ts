import type { Environment } from '@wayquest/platform/process';

const plenty = '1000000';

/** Nobody is limited, unless a test is about limits. */
export const settingsWithoutLimits: Environment = {
  LIMIT_PER_ADDRESS: plenty,
  LIMIT_PER_CALLER: plenty,
  LIMIT_PER_ACCOUNT: plenty,
  LIMIT_ATTEMPTS: plenty,
  LIMIT_AT_ONCE_PER_ADDRESS: plenty,
  LIMIT_AT_ONCE_PER_CALLER: plenty,
  LIMIT_SOCKETS: plenty,
  CHALLENGES_PER_MINUTE: plenty,
  CHALLENGES_PER_DAY: plenty,
  COMPLETIONS_PER_MINUTE: plenty,
  COMPLETIONS_PER_DAY: plenty,
  MESSAGES_PER_MINUTE: plenty,
  PICTURES_PER_HOUR: plenty,
};
