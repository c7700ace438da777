import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { requestContext } from './request-context.ts';
import { createSecurityLog, type SecurityLog } from './security-log.ts';

/** Events that an operator may want to look into. */
export const securityEvents = [
  'login-failed',
  'password-changed',
  'password-reset',
  'username-changed',
  'email-changed',
  'google-linked',
  'google-unlinked',
  'openid-linked',
  'openid-unlinked',
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

let securityLog: SecurityLog | undefined;

/**
 * From now on, also writes the security events of this process into files of their own.
 *
 * @param directory - The setting `SECURITY_LOG_DIR`; without it, nothing changes.
 * @param name - The program, as in its log.
 */
export function keepSecurityEvents(directory: string | undefined, name: string): void {
  securityLog = directory === undefined ? undefined : createSecurityLog(directory, name);
}

/** Logs a security event with the field `security`, and counts it in the metric. */
export function logSecurityEvent(logger: Logger, { event, service, ...fields }: SecurityEvent): void {
  metrics.securityEvents.inc({ service, event });
  const { address, requestId } = requestContext.getStore() ?? {};
  const line = { security: event, address, ...fields };
  logger.warn(line, 'security event');
  try {
    securityLog?.write({ time: new Date().toISOString(), service, requestId, ...line });
  } catch (error) {
    logger.error({ err: error }, 'a security event could not be written to its file');
  }
}
