import type { ServerEventData, ServerEventName } from '@wayquest/contracts';
import { LRUCache } from 'lru-cache';
import { realtimeMetrics } from './metrics.ts';
import type { RedisLink } from './redis-link.ts';
import { presentEvent, type SocketServer, userRoom } from './socket-server.ts';

/** One event for all tabs of some people, on whichever node they are. */
export interface Delivery<N extends ServerEventName = ServerEventName> {
  userIds: number[];
  name: N;
  data: ServerEventData<N>;
  /** The event it comes from, which the bus may deliver again: no node shows it twice. */
  key?: string;
}

/** Somebody came or went; for the friends of theirs who are on a node. */
export interface PresenceChange {
  userId: number;
  online: boolean;
  friendIds: number[];
}

/** What the nodes tell each other. */
export type Word =
  | { about: 'delivery'; delivery: Delivery }
  | { about: 'presence'; change: PresenceChange }
  /** Something about these people's friends changed. */
  | { about: 'friends'; userIds: number[] }
  /** Somebody has been awarded points. */
  | { about: 'leaderboard' }
  /** A challenge was changed or deleted. */
  | { about: 'challenge'; challengeId: number }
  /** A token of this person's counts no more. */
  | { about: 'token'; userId: number };

export interface NodeEvents {
  word: (word: Word) => void;
}

const remembered = 20_000;

/** All nodes together, this one included. */
export function createNodes(io: SocketServer, link: RedisLink | undefined) {
  const shown = new LRUCache<string, true>({ max: remembered });
  let react = (_word: Exclude<Word, { about: 'delivery' }>): void => {};

  const show = ({ userIds, name, data, key }: Delivery): void => {
    if (key !== undefined) {
      if (shown.has(key)) return;
      shown.set(key, true);
    }
    realtimeMetrics.deliveries.inc({ event: name });
    io.local.to(userIds.map(userRoom)).emit(name, presentEvent(name, data));
  };

  const hear = (word: Word): void => {
    if (word.about === 'delivery') show(word.delivery);
    else react(word);
  };
  io.on('word', hear);

  /** Resolves when Redis has taken it for the other nodes, and rejects when it may not have. */
  const tell = async (word: Word): Promise<void> => {
    hear(word);
    if (!link) return;
    io.serverSideEmit('word', word);
    await link.confirm();
  };

  return {
    tell,

    deliver: <N extends ServerEventName>(delivery: Delivery<N>): Promise<void> =>
      tell({ about: 'delivery', delivery }),

    /** What this node does when it is told something, by another one or by itself. */
    onWord(given: typeof react): void {
      react = given;
    },
  };
}

export type Nodes = ReturnType<typeof createNodes>;
