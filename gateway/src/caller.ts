import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from '@wayquest/platform/telemetry';

/** Who is at the other end of a connection, seen through the proxies that may stand in front of the gateway. */
export interface Caller {
  address: string;
  protocol: 'http' | 'https';
}

const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * An address as proxies write it, without what they add: quotes, a port (`203.0.113.5:51234`, `[2001:db8::1]:443`), brackets
 * around one of IPv6, or its zone. Undefined for what is no address, such as `unknown`.
 */
function addressFrom(written: string): string | undefined {
  const unquoted = written.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, withPort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(unquoted) ?? [];
  const address = plain(inBrackets ?? withPort ?? unquoted).replace(/%.*$/, '');
  return isIP(address) ? address : undefined;
}

const listOf = (header: string | string[] | undefined) => String(header ?? '').split(',');

/** Believes `x-forwarded-*` as far as the trusted proxies wrote it, so that a client cannot forge its address. */
export function callerOf(request: IncomingMessage, trustedProxies: number): Caller {
  const peer = plain(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return { address: peer, protocol: 'http' };
  // The last proxy's own address is the peer's; each trusted proxy before it added one more to the list. What cannot be
  // read keeps its place: without it, one that the client wrote itself would move there.
  const byTrusted = (list: string[]) => list[Math.max(0, list.length - trustedProxies)] ?? '';
  const address = addressFrom(byTrusted(listOf(request.headers['x-forwarded-for']))) ?? peer;
  const protocol = byTrusted(listOf(request.headers['x-forwarded-proto']));
  return { address, protocol: protocol.trim().toLowerCase() === 'https' ? 'https' : 'http' };
}

export type CallerOf = (request: IncomingMessage) => Caller;

/** Tells who calls; says once, if a proxy stands in front that no setting names, that everybody has its address. */
export function createCallerOf(trustedProxies: number, logger: Logger): CallerOf {
  let mustSay = trustedProxies === 0;
  return (request) => {
    if (mustSay && request.headers['x-forwarded-for'] !== undefined) {
      mustSay = false;
      logger.warn(
        'X-Forwarded-For came and is not believed, so whoever is behind that proxy shares one address and its limits: set TRUSTED_PROXIES to the number of proxies in front',
      );
    }
    return callerOf(request, trustedProxies);
  };
}
