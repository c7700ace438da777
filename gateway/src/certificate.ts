import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/async';
import { type Logger, metrics } from '@wayquest/platform/telemetry';

const everyMs = 60 * 60 * 1_000;
const timeoutMs = 10_000;

/** Until when the certificate at an https address is valid. Rejects if nothing there speaks TLS in time. */
async function expiryAt({ hostname, port }: URL, stopping: AbortSignal): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    // RFC 6066 allows names only.
    ...(!isIP(host) && { servername: host }),
    // One that is not trusted, or not any more, has an end as well.
    rejectUnauthorized: false,
  });
  try {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no TLS within ${timeoutMs} ms`)));
    await once(socket, 'secureConnect', { signal: stopping });
    return new Date(socket.getPeerCertificate().valid_to);
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/**
 * Reports every hour until when the certificate of the public address is valid, as browsers see it.
 *
 * @param publicUrl - An https address. One that cannot be reached from here is logged, and has no metric.
 * @returns The task; stop it with the process.
 */
export function watchCertificate(publicUrl: string, logger: Logger): PeriodicTask {
  const url = new URL(publicUrl);
  return startPeriodicTask(everyMs, async (stopping) => {
    try {
      const expiry = await expiryAt(url, stopping);
      metrics.certificateExpiry.set({ host: url.host }, expiry.getTime() / 1_000);
    } catch (error) {
      metrics.certificateExpiry.reset();
      if (!stopping.aborted)
        logger.warn({ err: error }, 'the certificate of PUBLIC_URL cannot be read from here');
    }
  });
}
