import { EventEmitter } from 'node:events';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually } from '@wayquest/testing';
import { attachRedisAdapter } from '../src/redis-adapter.ts';
import { challengeRoom, leaderboardRoom, userRoom } from '../src/rooms.ts';
import { createSocketServer } from '../src/socket-server.ts';

/*
 * What the members of the adapter that are not public have to do: these tests fail when another version of it does something
 * else (see infra/docs/patched-libraries.md).
 */

/** The connections of a node to a Redis that a test controls. */
class FakeRedis extends EventEmitter {
  readonly channels = new Set<string>();
  readonly published: { channel: string; text: string }[] = [];
  failure: Error | undefined;

  async spublish(channel: string, text: string): Promise<number> {
    if (this.failure) throw this.failure;
    this.published.push({ channel, text });
    return 1;
  }

  async ssubscribe(channel: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.channels.add(channel);
  }

  async sunsubscribe(channel: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.channels.delete(channel);
  }

  /** Hears a message, as a subscriber of its channel. */
  hear({ channel, text }: { channel: string; text: string }): void {
    this.emit('smessageBuffer', Buffer.from(channel), Buffer.from(text));
  }
}

function startNode() {
  const redis = new FakeRedis();
  const warnings: string[] = [];
  const logger = createLogger({ name: 'test', level: 'silent' });
  logger.warn = (_fields: unknown, message?: string) => void warnings.push(message ?? '');
  const io = createSocketServer();
  const received: { packet: unknown; room: string }[] = [];
  const emitted: unknown[] = [];
  const adapter = attachRedisAdapter(
    io,
    { redis, subscriber: redis, prefix: 'test' },
    logger,
    (packet, room, emit) => {
      received.push({ packet, room });
      emit();
    },
  );
  io.on('all', (data: unknown) => void emitted.push(data));
  return { redis, io, adapter, rooms: io.sockets.adapter, received, emitted, warnings };
}

const packetTo = (name: string) => ({ type: 2, data: [name, {}] });

it('publishes to the channel of one room, and rejects when Redis does', async () => {
  const { redis, adapter } = startNode();
  await adapter.publish(userRoom(7), packetTo('typing'));
  expect(redis.published.map(({ channel }) => channel)).toEqual(['test#/#u:7#']);
  redis.failure = new Error('Redis is away');
  await expect(adapter.publish(userRoom(7), packetTo('typing'))).rejects.toThrow('Redis is away');
  await expect(adapter.serverSideEmit('all', {})).rejects.toThrow('Redis is away');
});

it('subscribes to the rooms of people and challenges, not to those of single sockets', async () => {
  const { redis, adapter, rooms } = startNode();
  const ownChannels = redis.channels.size;
  rooms.addAll('aaaaaaaaaaaaaaaaaaaa', new Set(['aaaaaaaaaaaaaaaaaaaa', userRoom(7), challengeRoom(8)]));
  await adapter.subscribed();
  expect([...redis.channels].slice(ownChannels)).toEqual(['test#/#u:7#', 'test#/#c:8#']);
  rooms.addAll('bbbbbbbbbbbbbbbbbbbb', new Set([userRoom(7)]));
  rooms.delAll('aaaaaaaaaaaaaaaaaaaa');
  expect([...redis.channels].slice(ownChannels)).toEqual(['test#/#u:7#']);
});

it('has no room whose name the adapter takes for the id of a socket, which has 20 characters', async () => {
  const { redis, adapter } = startNode();
  await adapter.publish('x'.repeat(20), packetTo('typing'));
  expect(redis.published.map(({ channel }) => channel)).toEqual(['test#/#']);
  const ids = Array.from({ length: 16 }, (_, digits) =>
    Math.min(10 ** (digits + 1) - 1, Number.MAX_SAFE_INTEGER),
  );
  for (const room of [leaderboardRoom, ...ids.flatMap((id) => [userRoom(id), challengeRoom(id)])])
    expect(room).not.toHaveLength(20);
});

it('hands over the packets of other nodes, and ignores its own', async () => {
  const [sender, receiver] = [startNode(), startNode()];
  const packet = { ...packetTo('typing'), origin: { key: 'event' } };
  await sender.adapter.publish(userRoom(7), packet);
  await sender.adapter.serverSideEmit('all', { userId: 7 });
  for (const { rooms } of [sender, receiver]) rooms.addAll('aaaaaaaaaaaaaaaaaaaa', new Set([userRoom(7)]));
  for (const node of [sender, receiver])
    for (const message of sender.redis.published) node.redis.hear(message);
  expect(receiver.received).toMatchObject([{ packet, room: userRoom(7) }]);
  expect(receiver.emitted).toEqual([{ userId: 7 }]);
  expect([sender.received, sender.emitted]).toEqual([[], []]);
});

it('emits a packet to the tabs in its room alone, without what is not for them', async () => {
  const [sender, receiver] = [startNode(), startNode()];
  const written: unknown[] = [];
  const rooms = new Map([
    ['aaaaaaaaaaaaaaaaaaaa', userRoom(7)],
    ['bbbbbbbbbbbbbbbbbbbb', userRoom(8)],
  ]);
  for (const [id, room] of rooms) {
    receiver.rooms.addAll(id, new Set([room]));
    // As much of a socket as the adapter uses.
    const socket = { id, client: { writeToEngine: (packets: unknown) => written.push({ id, packets }) } };
    Reflect.apply(Map.prototype.set, receiver.io.sockets.sockets, [id, socket]);
  }
  await sender.adapter.publish(userRoom(7), { ...packetTo('typing'), origin: { key: 'event' } });
  for (const message of sender.redis.published) receiver.redis.hear(message);
  expect(written).toEqual([{ id: 'aaaaaaaaaaaaaaaaaaaa', packets: ['2["typing",{}]'] }]);
});

it('waits for the subscription of a room that a socket has just joined', async () => {
  const { redis, adapter, rooms } = startNode();
  let confirm = () => {};
  redis.ssubscribe = () => new Promise((resolve) => (confirm = resolve));
  rooms.addAll('aaaaaaaaaaaaaaaaaaaa', new Set([userRoom(7)]));
  let isSubscribed = false;
  const subscribed = adapter.subscribed().then(() => {
    isSubscribed = true;
  });
  await new Promise(setImmediate);
  expect(isSubscribed).toBe(false);
  confirm();
  await subscribed;
  expect(isSubscribed).toBe(true);
});

it('logs a subscription that failed: an unhandled rejection would end the process', async () => {
  const { redis, rooms, warnings } = startNode();
  redis.failure = new Error('Connection is closed.');
  rooms.addAll('aaaaaaaaaaaaaaaaaaaa', new Set([userRoom(7)]));
  rooms.delAll('aaaaaaaaaaaaaaaaaaaa');
  await eventually(() =>
    expect(warnings).toEqual(['could not subscribe to a channel', 'could not subscribe to a channel']),
  );
});
