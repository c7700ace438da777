import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ipPrefix64 } from '@wayquest/platform/http';
import { clientAddressOf } from '../src/client-address.ts';
import { cleanUp, echo, recordLog, startGateway, startUpstream } from './support.ts';

afterEach(cleanUp);

function requestFrom(peer: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const forged = { 'x-forwarded-for': '6.6.6.6, 1.1.1.1', 'x-forwarded-proto': 'https' };

it.each([
  ['with no proxy, the peer, whatever it claims', 0, '2.2.2.2', 'http'],
  ['behind one proxy, the address that it added', 1, '1.1.1.1', 'https'],
  ['behind two, the address that the first of them added', 2, '6.6.6.6', 'https'],
  ['behind more than there are addresses, the first', 5, '6.6.6.6', 'https'],
])('%s', (_what, trustedProxies, address, protocol) => {
  expect(clientAddressOf(requestFrom('::ffff:2.2.2.2', forged), trustedProxies)).toEqual({
    address,
    protocol,
  });
});

it.each([
  ['an address with a port', '9.9.9.9, 203.0.113.5:51234', '203.0.113.5'],
  ['an IPv6 address in brackets with a port', '9.9.9.9, [2001:db8::1]:443', '2001:db8::1'],
  ['an IPv6 address in brackets', '9.9.9.9,[2001:db8::1]', '2001:db8::1'],
  ['an IPv6 address in quotes', '9.9.9.9, "[2001:db8::1]:443"', '2001:db8::1'],
  ['an IPv6 address with a zone', '9.9.9.9, fe80::1%eth0', 'fe80::1'],
  ['an IPv4 address as one of IPv6', '9.9.9.9, ::ffff:203.0.113.5', '203.0.113.5'],
  ['an IPv4 address as one of IPv6 with a port', '9.9.9.9, [::ffff:203.0.113.5]:80', '203.0.113.5'],
  ['no address: the peer, not what the client wrote before it', '9.9.9.9, unknown', '2.2.2.2'],
])('behind one proxy that writes %s', (_what, header, address) => {
  expect(clientAddressOf(requestFrom('2.2.2.2', { 'x-forwarded-for': header }), 1).address).toBe(address);
});

it('trusts the protocol that its own proxy set, not one that a client sent', () => {
  const headers = { 'x-forwarded-for': '9.9.9.9, 1.1.1.1', 'x-forwarded-proto': 'https, http' };
  expect(clientAddressOf(requestFrom('2.2.2.2', headers), 1).protocol).toBe('http');
});

it('rate limits apply to a client whose port changes with each call', async () => {
  const gateway = await startGateway((await startUpstream(echo)).url, {
    trustedProxies: 1,
    rateLimits: { perAddress: { max: 5, seconds: 60 } },
  });
  const statuses: number[] = [];
  for (let port = 50_001; port <= 50_009; port += 1) {
    const headers = { 'x-forwarded-for': `9.9.9.${port % 100}, 203.0.113.5:${port}` };
    statuses.push((await fetch(`${gateway.url()}/api/users/1`, { headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
});

it('uses the peer if a proxy sends no address', () => {
  const request = requestFrom('2.2.2.2', { 'x-forwarded-for': 'unknown, <script>' });
  expect(clientAddressOf(request, 1)).toEqual({ address: '2.2.2.2', protocol: 'http' });
});

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (address, network) => {
  expect(ipPrefix64(address)).toBe(network);
});

it.each([
  ['says once that a proxy stands in front which no setting names', 0, 1],
  ['says nothing where the setting names it', 1, 0],
])('%s', async (_what, trustedProxies, times) => {
  const log = recordLog();
  const { url } = await startUpstream(echo);
  const gateway = await startGateway(url, { logger: log.logger, trustedProxies });
  for (const address of ['1.1.1.1', '2.2.2.2']) {
    await fetch(`${gateway.url()}/api/users/`, { headers: { 'x-forwarded-for': address } });
  }
  const warnings = log.entries.filter((entry) => String(entry).includes('set TRUSTED_PROXIES'));
  expect(warnings).toHaveLength(times);
});
