import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { requestContext } from './request-context.ts';

/** What whoever looks after an installation may want to look at. */
export const securityEvents = [
  'login-failed',
  'password-changed',
  'password-reset',
  'username-changed',
  'email-changed',
  'google-linked',
  'google-unlinked',
  'passkey-added',
  'passkey-removed',
  'deletion-asked',
  'deletion-undone',
  'account-deleted',
  'suspended',
  'rights-changed',
  'done-by-admin',
  'refused-by-limit',
  'points-held',
] as const;

export interface SecurityEvent {
  event: (typeof securityEvents)[number];
  service: string;
  /** Whose account it was done with or tried on; never a name that was typed, which may be a password. */
  userId?: number | undefined;
  /** From where, if it is not where the call came from. */
  address?: string | undefined;
  /** What was done, as `DELETE /api/challenges/5`. */
  operation?: string | undefined;
}

/** Lets each series of a service be there from its start: an alert on their increase would not see the first of a kind. */
export function beginSecurityEvents(service: string): void {
  for (const event of securityEvents) metrics.securityEvents.inc({ service, event }, 0);
}

/** Tells of a security event: a line with the field `security` in the log, and one more in the metric. */
export function tellSecurity(logger: Logger, { event, service, ...circumstances }: SecurityEvent): void {
  metrics.securityEvents.inc({ service, event });
  const address = requestContext.getStore()?.address;
  logger.warn({ security: event, address, ...circumstances }, 'security event');
}
