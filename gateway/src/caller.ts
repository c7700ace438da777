import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who is at the other end of a connection, seen through the proxies that may stand in front of the gateway. */
export interface Caller {
  address: string;
  protocol: 'http' | 'https';
}

const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

const listOf = (header: string | string[] | undefined) => String(header ?? '').split(',');

/** Believes `x-forwarded-*` as far as the trusted proxies wrote it, so that a client cannot forge its address. */
export function callerOf(request: IncomingMessage, trustedProxies: number): Caller {
  const peer = plain(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return { address: peer, protocol: 'http' };
  const forwarded = listOf(request.headers['x-forwarded-for']).map(plain).filter(isIP);
  // The last proxy's own address is the peer's; each trusted proxy before it added one more to the list.
  const address = forwarded[Math.max(0, forwarded.length - trustedProxies)] ?? peer;
  const [protocol] = listOf(request.headers['x-forwarded-proto']);
  return { address, protocol: protocol?.trim().toLowerCase() === 'https' ? 'https' : 'http' };
}

/** What counts as one address: an IPv6 customer is given a whole /64. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
