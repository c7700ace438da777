// biome-ignore-all lint/complexity/useLiteralKeys: in brackets TypeScript accepts, and checks, members that are not public
import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Logger } from '@wayquest/platform/telemetry';
import { ClusterAdapter, MessageType } from 'socket.io-adapter';
import type { SocketServer } from './socket-server.ts';

/** What the adapter needs of the connections to Redis. */
interface Connections {
  redis: { spublish(channel: string, text: string): Promise<unknown> };
  subscriber: {
    ssubscribe(channel: string): Promise<unknown>;
    sunsubscribe(channel: string): Promise<unknown>;
    on(event: 'smessageBuffer', listener: (channel: Buffer, message: Buffer) => void): unknown;
  };
  prefix: string;
}

/** The fan-out of a node to the other nodes. */
export interface RedisAdapter {
  /** Publishes a packet to the other nodes with a room; rejects if Redis may not have accepted it. */
  publish(room: string, packet: object): Promise<void>;
  /** Emits a server-side event on all other nodes, and rejects likewise. */
  serverSideEmit(event: string, data: unknown): Promise<void>;
  /** Resolves when this node is subscribed to all rooms that its sockets have joined so far. */
  subscribed(): Promise<void>;
}

/**
 * Connects the rooms of a server with those of other nodes, by the sharded adapter of Socket.IO. The adapter's own `emit`
 * hides whether Redis has accepted a packet, and it emits what the bus has delivered twice; so this uses three members that
 * are not public (see `infra/docs/patched-libraries.md`).
 *
 * @param receive - Gets the packets of other nodes for a room, and decides whether they are emitted.
 */
export function attachRedisAdapter(
  io: SocketServer,
  { redis, subscriber, prefix }: Connections,
  logger: Logger,
  receive: (packet: unknown, room: string, emit: () => void) => void,
): RedisAdapter {
  let subscribed = Promise.resolve();
  /** While Redis is unavailable; all subscriptions are renewed when it is back. */
  const warn = (error: unknown) => logger.warn({ err: error }, 'could not subscribe to a channel');
  // The adapter neither awaits these promises nor handles their errors.
  const handled = {
    on: subscriber.on.bind(subscriber),
    ssubscribe(channel: string) {
      // Redis answers in order, so the last answer is that to all.
      subscribed = subscriber.ssubscribe(channel).then(() => {}, warn);
    },
    sunsubscribe: (channel: string) => void subscriber.sunsubscribe(channel).catch(warn),
  };
  io.adapter(createShardedAdapter(redis, handled, { channelPrefix: prefix, subscriptionMode: 'dynamic' }));

  const { adapter } = io.sockets;
  if (!(adapter instanceof ClusterAdapter)) throw new Error('there are two versions of socket.io-adapter');
  const handleMessage = adapter['onMessage'].bind(adapter);
  adapter['onMessage'] = (message) => {
    // A node hears what it publishes to its own rooms.
    if (message.uid === adapter['uid']) return;
    const emit = () => handleMessage(message);
    if (message.type !== MessageType.BROADCAST) return emit();
    const { packet, opts } = message.data;
    for (const room of opts.rooms) receive(packet, room, emit);
  };

  return {
    async publish(room, packet) {
      const opts = { rooms: [room], except: [], flags: {} };
      await adapter['publishAndReturnOffset']({ type: MessageType.BROADCAST, data: { packet, opts } });
    },
    async serverSideEmit(event, data) {
      const packet = [event, data];
      await adapter['publishAndReturnOffset']({ type: MessageType.SERVER_SIDE_EMIT, data: { packet } });
    },
    subscribed: () => subscribed,
  };
}
