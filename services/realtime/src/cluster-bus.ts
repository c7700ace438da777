import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ServerEventData, ServerEventName } from '@wayquest/contracts';
import { beginStep, currentRequestId, currentTraceparent, type Logger } from '@wayquest/platform/telemetry';
import { LRUCache } from 'lru-cache';
import { realtimeMetrics } from './metrics.ts';
import type { RedisLink } from './redis-link.ts';
import { localTabs, presentEvent, type SocketServer, userRoom } from './socket-server.ts';

/** One event for all tabs of some people, on whichever node they are. */
export interface Delivery<N extends ServerEventName = ServerEventName> {
  userIds: number[];
  name: N;
  data: ServerEventData<N>;
  /** The event it comes from, which the bus may deliver again: no node shows it twice. */
  key?: string;
  /** Of the call that it comes from, and the step of its trace; `deliver` knows them. */
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** Somebody came or went; for the friends of theirs who are on a node. */
export interface PresenceChange {
  userId: number;
  online: boolean;
  friendIds: number[];
}

/** What the nodes tell each other. */
export type ClusterMessage =
  | { about: 'delivery'; delivery: Delivery }
  | { about: 'presence'; change: PresenceChange }
  /** Something about these people's friends changed. */
  | { about: 'friends'; userIds: number[] }
  /** Somebody may have chosen anew whether friends see that they are online. */
  | { about: 'profile'; userId: number }
  /** Somebody has been awarded points. */
  | { about: 'leaderboard' }
  /** A challenge was changed or deleted. */
  | { about: 'challenge'; challengeId: number }
  /** A token of this person's counts no more. */
  | { about: 'token'; userId: number };

/** A word on its way, and the node that told it. */
interface Envelope {
  from: string;
  word: ClusterMessage;
}

const channelOf = {
  /** Of those nodes that a tab of theirs is on. */
  person: (userId: number) => `person:${userId}`,
  /** Of those nodes that somebody looks at it on. */
  challenge: (challengeId: number) => `challenge:${challengeId}`,
  /** Of all nodes. */
  all: 'all',
};

/** Where a word is told. Every person has a channel, so that a node hears only of those who are there. */
function channelsOf(word: ClusterMessage): { channel: string; word: ClusterMessage }[] {
  const { about } = word;
  if (about === 'delivery') {
    const { delivery } = word;
    return delivery.userIds.map((userId) => ({
      channel: channelOf.person(userId),
      word: { about, delivery: { ...delivery, userIds: [userId] } },
    }));
  }
  if (about === 'presence') {
    const { change } = word;
    return change.friendIds.map((friendId) => ({
      channel: channelOf.person(friendId),
      word: { about, change: { ...change, friendIds: [friendId] } },
    }));
  }
  if (about === 'friends')
    return word.userIds.map((userId) => ({
      channel: channelOf.person(userId),
      word: { about, userIds: [userId] },
    }));
  if (about === 'profile') return [{ channel: channelOf.person(word.userId), word }];
  if (about === 'challenge') return [{ channel: channelOf.challenge(word.challengeId), word }];
  // Of a token each node may know something, also where its owner has no tab now.
  return [{ channel: channelOf.all, word }];
}

const remembered = 20_000;

/** Nobody waits longer for Redis to hear a channel. */
const heardWithinMs = 1_000;

/** A channel that this node wants to hear, until `end`. */
export interface Hearing {
  /** Whether it is heard; false where Redis takes long. */
  inTime: Promise<boolean>;
  heard: Promise<void>;
  end(): void;
}

/** All nodes together, this one included. */
export function createNodes(io: SocketServer, link: RedisLink | undefined, logger: Logger) {
  const shown = new LRUCache<string, true>({ max: remembered });
  let react = (_word: Exclude<ClusterMessage, { about: 'delivery' }>): void => {};

  const show = ({ userIds: given, name, data, key, requestId, traceparent: parent }: Delivery): void => {
    const userIds = key === undefined ? given : given.filter((userId) => !shown.has(`${key} ${userId}`));
    if (userIds.length === 0) return;
    if (key !== undefined) for (const userId of userIds) shown.set(`${key} ${userId}`, true);
    realtimeMetrics.deliveries.inc({ event: name });
    // What comes from no event, such as that somebody types, is no news.
    const tabs = key === undefined ? 0 : userIds.reduce((sum, userId) => sum + localTabs(io, userId), 0);
    const step = tabs
      ? beginStep({ service: 'realtime', kind: 'producer', name: `show ${name}`, parent })
      : undefined;
    io.local.to(userIds.map(userRoom)).emit(name, presentEvent(name, data));
    if (!tabs) return;
    logger.info({ requestId, traceId: step?.traceId, event: name, eventId: key, tabs }, 'shown');
    step?.end({ attributes: { 'wayquest.tabs': tabs } });
  };

  const hear = (word: ClusterMessage): void => {
    if (word.about === 'delivery') show(word.delivery);
    else react(word);
  };

  const node = randomUUID();
  link?.onLetter((text) => {
    const { from, word }: Envelope = JSON.parse(text);
    if (from === node) return;
    realtimeMetrics.nodeMessages.inc({ topic: word.about });
    hear(word);
  });
  link?.hear(channelOf.all);

  /** Resolves when Redis has taken it for the other nodes, and rejects when it may not have. */
  const tell = async (word: ClusterMessage): Promise<void> => {
    hear(word);
    await link?.tell(
      channelsOf(word).map(({ channel, word }) => ({
        channel,
        text: JSON.stringify({ from: node, word } satisfies Envelope),
      })),
    );
  };

  return {
    tell,

    /** Hears what concerns a person, who has a tab here, or a challenge, which somebody looks at here. */
    hear(what: 'person' | 'challenge', id: number): Hearing {
      if (!link) return { inTime: Promise.resolve(true), heard: Promise.resolve(), end: () => {} };
      const { heard, end } = link.hear(channelOf[what](id));
      const late = setTimeout(heardWithinMs, false, { ref: false });
      return { inTime: Promise.race([heard.then(() => true), late]), heard, end };
    },

    deliver: <N extends ServerEventName>(delivery: Delivery<N>): Promise<void> =>
      tell({
        about: 'delivery',
        delivery: { ...delivery, requestId: currentRequestId(), traceparent: currentTraceparent() },
      }),

    /** What this node does when it is told something, by another one or by itself. */
    onWord(given: typeof react): void {
      react = given;
    },
  };
}

export type Nodes = ReturnType<typeof createNodes>;
