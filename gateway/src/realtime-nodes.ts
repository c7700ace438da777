import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { Problem } from '@wayquest/platform/core';
import { socketNodeTag, tagOfSocketId } from '@wayquest/platform/http';
import type { UpstreamAddress } from './upstreams.ts';

interface RealtimeNode {
  origin: string;
  tag: string;
}

/** How long a looked-up name is believed, and how long a node that failed is not asked for new connections. */
const trustMs = 3_000;
const avoidMs = 3_000;

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

async function nodesAt(address: UpstreamAddress): Promise<RealtimeNode[]> {
  const url = new URL(typeof address === 'string' ? address : address());
  const found = await lookup(url.hostname, { all: true });
  return found.map(({ address: ip }) => ({
    origin: `${url.protocol}//${isIPv6(ip) ? `[${ip}]` : ip}:${portOf(url)}`,
    tag: socketNodeTag(ip, portOf(url)),
  }));
}

export interface RealtimeNodes {
  /** The node that a connection lives on; any for a new one. Throws `service-unavailable` if there is none. */
  nodeOf(socketId: string | undefined): Promise<string>;
  /** A node did not answer. */
  avoid(origin: string): void;
}

/**
 * The nodes of the realtime service. A name may stand for several. The id of a connection tells its node, so any
 * number of gateways, with nothing in common, send a client's requests to the same one.
 */
export function createRealtimeNodes(addresses: UpstreamAddress[]): RealtimeNodes {
  const avoided = new Map<string, number>();
  let known: { nodes: Promise<RealtimeNode[]>; until: number } | undefined;

  const nodes = (): Promise<RealtimeNode[]> => {
    if (!known || known.until < Date.now()) {
      const found = Promise.allSettled(addresses.map(nodesAt)).then((results) =>
        results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
      );
      known = { nodes: found, until: Date.now() + trustMs };
    }
    return known.nodes;
  };

  return {
    async nodeOf(socketId) {
      const all = await nodes();
      const own = socketId && all.find(({ tag }) => tag === tagOfSocketId(socketId));
      const good = all.filter(({ origin }) => (avoided.get(origin) ?? 0) < Date.now());
      const choice = good.length ? good : all;
      // A connection whose node has gone: any other says that it does not know it, and the client begins anew.
      const node = own || choice[Math.floor(Math.random() * choice.length)];
      if (!node) throw new Problem('service-unavailable');
      return node.origin;
    },
    avoid(origin) {
      avoided.set(origin, Date.now() + avoidMs);
    },
  };
}
