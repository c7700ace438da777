import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

const bitsOfGroup = 16;

/** The first `bits` bits of an IPv6 address; undefined for IPv4, also for one mapped to IPv6. */
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

/** What a provider assigns to one client: the /64 of an IPv6 address, or the IPv4 address itself. */
export const ipPrefix64 = (address: string): string =>
  mappedIPv4(address) ?? ipv6Network(address, 64) ?? address;

/** The largest block that a provider assigns to one customer: the /48 of an IPv6 address; undefined for IPv4. */
export const ipPrefix48 = (address: string): string | undefined => ipv6Network(address, 48);

/**
 * Returns a tag for the address that a realtime node listens on, which does not reveal it. Connection ids begin with
 * the tag, so that any gateway finds the node of a polling client's connection.
 */
export const socketNodeTag = (host: string, port: number): string =>
  createHash('sha256')
    .update(`${host.replace(/^::ffff:/, '')}:${port}`)
    .digest('base64url')
    .slice(0, 8);

/** The node's tag in a connection's id. */
export const tagOfSocketId = (socketId: string): string => socketId.slice(0, socketId.indexOf('.'));
