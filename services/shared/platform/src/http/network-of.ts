import { isIPv6 } from 'node:net';

const bitsOfGroup = 16;

/** An IPv6 network of so many bits; nothing for an IPv4 address, also for one written as IPv6. */
function ipv6Network(address: string, bits: number): string | undefined {
  if (!isIPv6(address) || mappedIPv4(address)) return undefined;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head ? head.split(':') : [];
  const back = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(gap).fill('0'), ...back];
  return groups
    .slice(0, bits / bitsOfGroup)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

const mappedIPv4 = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];

/** What one person at a provider has of the internet: an IPv4 address, or an IPv6 network of 64 bits. */
export const networkOf = (address: string): string =>
  mappedIPv4(address) ?? ipv6Network(address, 64) ?? address;

/** The most that one customer of a provider has of the internet: an IPv6 network of 48 bits. */
export const siteOf = (address: string): string | undefined => ipv6Network(address, 48);
