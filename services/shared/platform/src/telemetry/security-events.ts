import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { requestContext } from './request-context.ts';

/** Events that an operator may want to look into. */
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
  'deletion-requested',
  'deletion-canceled',
  'account-deleted',
  'suspended',
  'rights-changed',
  'admin-action',
  'rate-limited',
  'points-flagged',
] as const;

export interface SecurityEvent {
  event: (typeof securityEvents)[number];
  service: string;
  /** The account concerned; never a typed name, which may be a password. */
  userId?: number | undefined;
  /** IP address, if not that of the current request. */
  address?: string | undefined;
  /** The request, as `DELETE /api/challenges/5`. */
  operation?: string | undefined;
}

/** Creates each series of a service at its start: an alert on their increase would miss the first event of a kind. */
export function initSecurityEventMetrics(service: string): void {
  for (const event of securityEvents) metrics.securityEvents.inc({ service, event }, 0);
}

/** Logs a security event with the field `security`, and counts it in the metric. */
export function logSecurityEvent(logger: Logger, { event, service, ...fields }: SecurityEvent): void {
  metrics.securityEvents.inc({ service, event });
  const address = requestContext.getStore()?.address;
  logger.warn({ security: event, address, ...fields }, 'security event');
}
