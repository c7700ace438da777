import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ServerEventData, ServerEventName } from '@wayquest/contracts';
import { currentRequestId, currentTraceparent, type Logger, startSpan } from '@wayquest/platform/telemetry';
import { LRUCache } from 'lru-cache';
import { realtimeMetrics } from './metrics.ts';
import type { RedisAdapter } from './redis-adapter.ts';
import { localTabs, presentEvent, type SocketServer, userRoom } from './socket-server.ts';

/** One event for all tabs of some people, on whichever node they are. */
export interface Delivery<N extends ServerEventName = ServerEventName> {
  userIds: number[];
  name: N;
  data: ServerEventData<N>;
  /** Id of its event, which may be delivered again: a node shows each only once. */
  key?: string;
  /** Of the call that caused it; `deliver` sets them. */
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** A person came online or went offline; for the nodes of their friends. */
export interface PresenceChange {
  userId: number;
  online: boolean;
  friendIds: number[];
}

/** A message between nodes. */
export type ClusterMessage =
  | { type: 'delivery'; delivery: Delivery }
  | { type: 'presence'; change: PresenceChange }
  /** The friends of these people changed. */
  | { type: 'friends'; userIds: number[] }
  /** A profile changed, and perhaps whether friends see that the person is online. */
  | { type: 'profile'; userId: number }
  /** Somebody's points changed. */
  | { type: 'leaderboard' }
  /** A challenge was changed or deleted. */
  | { type: 'challenge'; challengeId: number; deleted?: boolean }
  /** A token of this person was revoked. */
  | { type: 'token'; userId: number };

/** A message with the node that sent it. */
interface Envelope {
  from: string;
  message: ClusterMessage;
}

const channelOf = {
  /** Subscribed by nodes with a tab of that person. */
  person: (userId: number) => `person:${userId}`,
  /** Subscribed by nodes with a tab that shows the challenge. */
  challenge: (challengeId: number) => `challenge:${challengeId}`,
  /** Subscribed by all nodes. */
  all: 'all',
};

/** The channels of a message. Each person has one, so that a node only receives messages about people who are on it. */
function channelsOf(message: ClusterMessage): { channel: string; message: ClusterMessage }[] {
  const { type } = message;
  if (type === 'delivery') {
    const { delivery } = message;
    return delivery.userIds.map((userId) => ({
      channel: channelOf.person(userId),
      message: { type, delivery: { ...delivery, userIds: [userId] } },
    }));
  }
  if (type === 'presence') {
    const { change } = message;
    return change.friendIds.map((friendId) => ({
      channel: channelOf.person(friendId),
      message: { type, change: { ...change, friendIds: [friendId] } },
    }));
  }
  if (type === 'friends')
    return message.userIds.map((userId) => ({
      channel: channelOf.person(userId),
      message: { type, userIds: [userId] },
    }));
  if (type === 'profile') return [{ channel: channelOf.person(message.userId), message }];
  if (type === 'challenge') return [{ channel: channelOf.challenge(message.challengeId), message }];
  // Any node may have cached a token, also without a tab of its owner.
  return [{ channel: channelOf.all, message }];
}

const maxRememberedEvents = 20_000;

/** How long to wait for a subscription. */
const subscribeTimeoutMs = 1_000;

/** A subscription of this node to a channel, until `unsubscribe`. */
export interface Subscription {
  /** Resolves to false if Redis takes long. */
  isSubscribedInTime: Promise<boolean>;
  subscribed: Promise<void>;
  unsubscribe(): void;
}

/** Messages between all nodes, this one included. */
export interface ClusterBus {
  /** Resolves when Redis has accepted it for the other nodes, and rejects if it may not have. */
  broadcast(message: ClusterMessage): Promise<void>;
  /** Subscribes to a person with a tab on this node, or to a challenge that one shows. */
  subscribe(channelType: 'person' | 'challenge', id: number): Subscription;
  deliver<N extends ServerEventName>(delivery: Delivery<N>): Promise<void>;
  /** Sets the handler of messages, from this node and others. */
  onMessage(handler: (message: Exclude<ClusterMessage, { type: 'delivery' }>) => void): void;
}

/**
 * Creates the messages between realtime nodes.
 *
 * @param adapter - Undefined for a single node without Redis.
 */
export function createClusterBus(
  io: SocketServer,
  adapter: RedisAdapter | undefined,
  logger: Logger,
): ClusterBus {
  const deliveredEvents = new LRUCache<string, true>({ max: maxRememberedEvents });
  let handler = (_message: Exclude<ClusterMessage, { type: 'delivery' }>): void => {};

  const emitLocally = ({
    userIds: recipients,
    name,
    data,
    key,
    requestId,
    traceparent: parent,
  }: Delivery): void => {
    const userIds =
      key === undefined
        ? recipients
        : recipients.filter((userId) => !deliveredEvents.has(`${key} ${userId}`));
    if (userIds.length === 0) return;
    if (key !== undefined) for (const userId of userIds) deliveredEvents.set(`${key} ${userId}`, true);
    realtimeMetrics.deliveries.inc({ event: name });
    // What comes from no event, such as typing, is not logged.
    const tabs = key === undefined ? 0 : userIds.reduce((sum, userId) => sum + localTabs(io, userId), 0);
    const span = tabs
      ? startSpan({ service: 'realtime', kind: 'producer', name: `show ${name}`, parent })
      : undefined;
    io.local.to(userIds.map(userRoom)).emit(name, presentEvent(name, data));
    if (!tabs) return;
    logger.info({ requestId, traceId: span?.traceId, event: name, eventId: key, tabs }, 'shown');
    span?.end({ attributes: { 'wayquest.tabs': tabs } });
  };

  const handle = (message: ClusterMessage): void => {
    if (message.type === 'delivery') emitLocally(message.delivery);
    else handler(message);
  };

  const node = randomUUID();
  adapter?.onMessage((text) => {
    const { from, message }: Envelope = JSON.parse(text);
    if (from === node) return;
    realtimeMetrics.nodeMessages.inc({ topic: message.type });
    handle(message);
  });
  adapter?.subscribe(channelOf.all);

  const broadcast = async (message: ClusterMessage): Promise<void> => {
    handle(message);
    await adapter?.publish(
      channelsOf(message).map(({ channel, message }) => ({
        channel,
        text: JSON.stringify({ from: node, message } satisfies Envelope),
      })),
    );
  };

  return {
    broadcast,

    subscribe(kind: 'person' | 'challenge', id: number): Subscription {
      if (!adapter)
        return {
          isSubscribedInTime: Promise.resolve(true),
          subscribed: Promise.resolve(),
          unsubscribe: () => {},
        };
      const { subscribed, unsubscribe } = adapter.subscribe(channelOf[kind](id));
      const timeout = setTimeout(subscribeTimeoutMs, false, { ref: false });
      return {
        isSubscribedInTime: Promise.race([subscribed.then(() => true), timeout]),
        subscribed,
        unsubscribe,
      };
    },

    deliver: <N extends ServerEventName>(delivery: Delivery<N>): Promise<void> =>
      broadcast({
        type: 'delivery',
        delivery: { ...delivery, requestId: currentRequestId(), traceparent: currentTraceparent() },
      }),

    onMessage(newHandler: typeof handler): void {
      handler = newHandler;
    },
  };
}
