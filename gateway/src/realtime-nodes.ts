import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { socketNodeTag, tagOfSocketId } from '@wayquest/platform/http';
import type { UpstreamAddress } from './upstreams.ts';

interface RealtimeNode {
  origin: string;
  tag: string;
}

/** How long resolved addresses are cached, and how long a failed node gets no new connections. */
const dnsCacheMs = 3_000;
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
  /**
   * Returns the origin of the node with a connection, or of any node for a new one. Throws `service-unavailable` if
   * there is none.
   */
  nodeOf(socketId: string | undefined): Promise<string>;
  /** The origins of all nodes. */
  origins(): Promise<string[]>;
  /** Marks a node that did not respond. */
  markFailed(origin: string): void;
}

/**
 * Finds the nodes of the realtime service. A host name may resolve to several. A connection's id contains the tag of
 * its node, so that any number of gateways route a client to the same node without shared state.
 */
export function createRealtimeNodes(addresses: UpstreamAddress[], clock: Clock): RealtimeNodes {
  const failedUntil = new Map<string, number>();
  let cached: { nodes: Promise<RealtimeNode[]>; until: number } | undefined;

  const nodes = (): Promise<RealtimeNode[]> => {
    if (!cached || cached.until < clock.now()) {
      const found = Promise.allSettled(addresses.map(nodesAt)).then((results) =>
        results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
      );
      cached = { nodes: found, until: clock.now() + dnsCacheMs };
    }
    return cached.nodes;
  };

  return {
    async nodeOf(socketId) {
      const all = await nodes();
      const assigned = socketId && all.find(({ tag }) => tag === tagOfSocketId(socketId));
      const healthy = all.filter(({ origin }) => (failedUntil.get(origin) ?? 0) < clock.now());
      const candidates = healthy.length ? healthy : all;
      // If a connection's node has stopped, any other one reports the id as unknown, and the client reconnects.
      const node = assigned || candidates[Math.floor(Math.random() * candidates.length)];
      if (!node) throw new Problem('service-unavailable');
      return node.origin;
    },
    origins: async () => (await nodes()).map(({ origin }) => origin),
    markFailed(origin) {
      failedUntil.set(origin, clock.now() + avoidMs);
    },
  };
}
