import { createServer } from 'node:http';
import { createLogger } from '@wayquest/platform/telemetry';
import { closeTabs, openTab } from '@wayquest/testing';
import { attachSocketServer, createSocketServer, presentEvent } from '../src/socket-server.ts';
import { serveSockets } from '../src/sockets.ts';

/** Starts a node whose subscriptions the test confirms. */
async function startNode() {
  const io = createSocketServer();
  let confirm = () => {};
  const subscribed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  let hasAsked = () => {};
  const asked = new Promise<Set<string>>((resolve) => {
    hasAsked = () => resolve(new Set(io.sockets.adapter.rooms.keys()));
  });
  const claims = { sub: 7, username: 'ann', admin: false, jti: 'token', iat: 0, exp: 0 };
  serveSockets({
    io,
    guard: { verify: async (token) => ({ id: 7, username: 'ann', admin: false, token, claims }) },
    cluster: {
      deliver: async () => {},
      subscribed() {
        hasAsked();
        return subscribed;
      },
    },
    lists: { payload: () => presentEvent('getUsers', []), areFriends: async () => false },
    presenceTracker: { onConnect: async () => {}, onDisconnect: () => {} },
    limiter: { count: async () => 1 },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const server = createServer();
  const detach = attachSocketServer(io, server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('it listens nowhere');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connected: () => io.sockets.sockets.size,
    ...{ asked, confirm },
    stop() {
      closeTabs();
      detach();
      server.close();
    },
  };
}

it('answers a handshake once the room of the person is subscribed, and needs no resync then', async () => {
  const node = await startNode();
  try {
    const opening = openTab(node.url, 'token');
    expect(await node.asked).toContain('u:7');
    // A handshake that does not wait is answered by then.
    await new Promise(setImmediate);
    expect(node.connected()).toBe(0);
    node.confirm();
    const tab = await opening;
    await tab.emit('addUser', 7);
    expect(tab.received.resync).toEqual([]);
  } finally {
    node.stop();
  }
});

it('answers it after a second without a subscription, and asks for a resync once there is one', async () => {
  const node = await startNode();
  try {
    const tab = await openTab(node.url, 'token');
    await tab.emit('addUser', 7);
    expect(tab.received.resync).toEqual([]);
    const resync = new Promise((resolve) => tab.socket.once('resync', resolve));
    node.confirm();
    await resync;
  } finally {
    node.stop();
  }
});
