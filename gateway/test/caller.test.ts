import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { networkOf } from '@wayquest/platform/http';
import { callerOf } from '../src/caller.ts';
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
  expect(callerOf(requestFrom('::ffff:2.2.2.2', forged), trustedProxies)).toEqual({ address, protocol });
});

it('falls back to the peer when a proxy says nothing that is an address', () => {
  const request = requestFrom('2.2.2.2', { 'x-forwarded-for': 'unknown, <script>' });
  expect(callerOf(request, 1)).toEqual({ address: '2.2.2.2', protocol: 'http' });
});

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
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
