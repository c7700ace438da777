import type { ServerEventData, ServerEventName } from '@wayquest/contracts';
import { currentRequestId, currentTraceparent, type Logger, startSpan } from '@wayquest/platform/telemetry';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { realtimeMetrics } from './metrics.ts';
import { attachRedisAdapter } from './redis-adapter.ts';
import type { RedisConnections } from './redis-connections.ts';
import { userRoom } from './rooms.ts';
import { presentEvent, type SocketServer, tabsIn } from './socket-server.ts';

/** One event for all tabs in some rooms, on whichever node they are. */
export interface Delivery<N extends ServerEventName = ServerEventName> {
  rooms: string[];
  name: N;
  data: ServerEventData<N>;
  /** Id of its event, which may be delivered again: a node shows each only once. */
  key?: string;
}

const NodeMessage = z.discriminatedUnion('type', [
  /** A friend came online or went offline. */
  z.object({ type: z.literal('presence'), to: z.int(), userId: z.int(), online: z.boolean() }),
  /** The person's friends changed. */
  z.object({ type: z.literal('friends'), to: z.int() }),
  /** The person's profile changed, and perhaps whether friends see that they are online. */
  z.object({ type: z.literal('profile'), to: z.int() }),
  /** Somebody's points changed. */
  z.object({ type: z.literal('leaderboard') }),
  /** A token of this person was revoked. Any node may have cached it, also without a tab of its owner. */
  z.object({ type: z.literal('token'), userId: z.int() }),
]);

/** A message that nodes handle: those with a tab of a person (`to`), or all of them. */
export type NodeMessage = z.output<typeof NodeMessage>;

/** Where a delivery comes from: an event of the bus, a call, a trace. */
const Origin = z.object({
  key: z.string().optional(),
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
});

/** What a node publishes to a room: a packet of Socket.IO, whose origin stays on the server, or a message for the node. */
const Packet = z.union([
  z.object({ data: z.tuple([z.string(), z.unknown()]), origin: Origin }),
  z.object({ message: NodeMessage }),
]);

/** Socket.IO's type of a packet with an event. */
const eventPacketType = 2;

/** The server-side event of messages for all nodes. */
const allNodes = 'all-nodes';

const maxRememberedEvents = 20_000;

/** Messages between all nodes, this one included. */
export interface ClusterBus {
  /** Resolves when Redis has accepted all of them for the other nodes, and rejects if it may not have. */
  broadcast(messages: NodeMessage[]): Promise<void>;
  /** Shows an event to tabs; resolves and rejects as `broadcast` does. */
  deliver<N extends ServerEventName>(delivery: Delivery<N>): Promise<void>;
  /** Resolves when this node receives what is published to the rooms that its sockets have joined. */
  subscribed(): Promise<void>;
  /** Sets the handler of messages, from this node and others. */
  onMessage(handler: (message: NodeMessage) => void): void;
}

/**
 * Creates the messages between realtime nodes.
 *
 * @param connections - Undefined for a single node without Redis.
 */
export function createClusterBus(
  io: SocketServer,
  connections: RedisConnections | undefined,
  logger: Logger,
): ClusterBus {
  const shownEvents = new LRUCache<string, true>({ max: maxRememberedEvents });
  let handle = (_message: NodeMessage): void => {};

  /** Emits an event in those of the rooms that it was not emitted in before. */
  const show = (
    rooms: string[],
    name: string,
    { key, requestId, traceparent: parent }: z.output<typeof Origin>,
    emit: (rooms: string[]) => void,
  ): void => {
    const newRooms = key === undefined ? rooms : rooms.filter((room) => !shownEvents.has(`${key} ${room}`));
    if (newRooms.length === 0) return;
    if (key !== undefined) for (const room of newRooms) shownEvents.set(`${key} ${room}`, true);
    realtimeMetrics.deliveries.inc({ event: name });
    // What comes from no event, such as typing, is not logged.
    const tabs = key === undefined ? 0 : newRooms.reduce((sum, room) => sum + tabsIn(io, room).length, 0);
    const span = tabs
      ? startSpan({ service: 'realtime', kind: 'producer', name: `show ${name}`, parent })
      : undefined;
    emit(newRooms);
    if (!tabs) return;
    logger.debug({ requestId, traceId: span?.traceId, event: name, eventId: key, tabs }, 'shown');
    span?.end({ attributes: { 'wayquest.tabs': tabs } });
  };

  /** Handles what another node published, which must not end this one if it cannot be read. */
  const receive = (packet: unknown, room: string, emit: () => void): void => {
    const { data, error } = Packet.safeParse(packet);
    if (error) {
      logger.warn({ err: error }, 'could not read what another node published');
      return;
    }
    realtimeMetrics.nodeMessages.inc({ topic: 'message' in data ? data.message.type : 'delivery' });
    if ('message' in data) handle(data.message);
    else show([room], data.data[0], data.origin, emit);
  };
  const adapter = connections && attachRedisAdapter(io, connections, logger, receive);
  io.on(allNodes, (packet: unknown) => receive(packet, allNodes, () => {}));

  return {
    async broadcast(messages) {
      for (const message of messages) handle(message);
      if (!adapter) return;
      const publish = (message: NodeMessage) =>
        'to' in message
          ? adapter.publish(userRoom(message.to), { message })
          : adapter.serverSideEmit(allNodes, { message });
      await Promise.all(messages.map(publish));
    },

    async deliver({ rooms, name, data, key }: Delivery) {
      const payload = presentEvent(name, data);
      const origin = { key, requestId: currentRequestId(), traceparent: currentTraceparent() };
      show(rooms, name, origin, (newRooms) => io.local.to(newRooms).emit(name, payload));
      if (!adapter) return;
      const packet = { type: eventPacketType, data: [name, payload], origin };
      await Promise.all(rooms.map((room) => adapter.publish(room, packet)));
    },

    subscribed: adapter ? adapter.subscribed : () => Promise.resolve(),

    onMessage(handler) {
      handle = handler;
    },
  };
}
