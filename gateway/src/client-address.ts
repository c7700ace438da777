import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from '@wayquest/platform/telemetry';

/** The client's address and protocol, as seen behind the proxies in front of the gateway. */
export interface ClientAddress {
  address: string;
  protocol: 'http' | 'https';
}

const withoutIpv4Mapping = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Parses an address as proxies write it: removes quotes, a port (`203.0.113.5:51234`, `[2001:db8::1]:443`), the brackets of
 * IPv6 and its zone.
 *
 * @returns undefined for a value that is no address, such as `unknown`.
 */
function addressFrom(entry: string): string | undefined {
  const unquoted = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, withPort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(unquoted) ?? [];
  const address = withoutIpv4Mapping(inBrackets ?? withPort ?? unquoted).replace(/%.*$/, '');
  return isIP(address) ? address : undefined;
}

const listOf = (header: string | string[] | undefined) => String(header ?? '').split(',');

/**
 * Uses only the entries of `x-forwarded-*` that the trusted proxies appended, so that a client cannot forge its address.
 *
 * @param trustedProxies - Number of proxies in front; 0 ignores the headers.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): ClientAddress {
  const peer = withoutIpv4Mapping(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return { address: peer, protocol: 'http' };
  // The last proxy's own address is the peer's; each trusted proxy before it appended one entry. Invalid entries keep their
  // position: without them, an entry that the client wrote itself would move there.
  const entryOfFirstTrustedProxy = (list: string[]) => list[Math.max(0, list.length - trustedProxies)] ?? '';
  const address = addressFrom(entryOfFirstTrustedProxy(listOf(request.headers['x-forwarded-for']))) ?? peer;
  const protocol = entryOfFirstTrustedProxy(listOf(request.headers['x-forwarded-proto']));
  return { address, protocol: protocol.trim().toLowerCase() === 'https' ? 'https' : 'http' };
}

export type ClientAddressOf = (request: IncomingMessage) => ClientAddress;

/** Resolves client addresses; warns once if a proxy is in front that `trustedProxies` does not count. */
export function createClientAddressOf(trustedProxies: number, logger: Logger): ClientAddressOf {
  let mayWarn = trustedProxies === 0;
  return (request) => {
    if (mayWarn && request.headers['x-forwarded-for'] !== undefined) {
      mayWarn = false;
      logger.warn(
        'ignored X-Forwarded-For: all clients behind that proxy share one address and its limits; set TRUSTED_PROXIES to the number of proxies in front',
      );
    }
    return clientAddressOf(request, trustedProxies);
  };
}
