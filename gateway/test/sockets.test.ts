import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { socketNodeTag } from '@wayquest/platform/http';
import { metrics } from '@wayquest/platform/telemetry';
import { eventually } from '@wayquest/testing/eventually';
import { cleanUp, cleanUpLater, echo, raw, startGateway, startUpstream, unreachableUrl } from './support.ts';

afterEach(cleanUp);

/** Starts a fake realtime node: responds to polls with its name, and echoes on upgraded connections. */
async function startNode(name: string) {
  const open = new Set<Socket>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end(name);
  });
  server.on('upgrade', (request, socket: Socket) => {
    seen.push(`upgrade ${request.url} for ${request.headers['x-forwarded-for']}`);
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.write(name);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpLater(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, tag: socketNodeTag('127.0.0.1', port), open, seen };
}

async function startBoth(deps: { drainMs?: number } = {}) {
  const [one, two] = [await startNode('one'), await startNode('two')];
  const { url: services } = await startUpstream(echo);
  const gateway = await startGateway(services, { realtime: [one.url, two.url], ...deps });
  return { one, two, gateway };
}

const upgradeOf = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Opens an upgraded connection, and records the received bytes. */
async function upgraded(gatewayUrl: string, path: string) {
  const socket = connect(Number(new URL(gatewayUrl).port), '127.0.0.1');
  const got = { text: '' };
  socket.on('data', (chunk) => {
    got.text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(upgradeOf(path));
  cleanUpLater(async () => socket.destroy());
  return { socket, got };
}

it('routes every request of a connection to the node in its id', async () => {
  const { one, two, gateway } = await startBoth();
  for (const [node, name] of [
    [one, 'one'],
    [two, 'two'],
  ] as const) {
    for (let n = 0; n < 8; n++) {
      const poll = await fetch(`${gateway.url()}/socket.io/?EIO=4&transport=polling&sid=${node.tag}.abc`);
      expect(await poll.text()).toBe(name);
    }
    const { got } = await upgraded(
      gateway.url(),
      `/socket.io/?EIO=4&transport=websocket&sid=${node.tag}.abc`,
    );
    await eventually(() => got.text.endsWith(name));
    expect(got.text).toMatch(/^HTTP\/1\.1 101 /);
  }
});

it('distributes new connections, and those of a stopped node go to another one', async () => {
  const { gateway } = await startBoth();
  const replies = new Set<string>();
  for (let n = 0; n < 40; n++) {
    replies.add(await (await fetch(`${gateway.url()}/socket.io/?EIO=4&transport=polling`)).text());
  }
  expect([...replies].sort()).toEqual(['one', 'two']);
  const gone = await fetch(`${gateway.url()}/socket.io/?EIO=4&transport=polling&sid=gonegone.abc`);
  expect(['one', 'two']).toContain(await gone.text());
});

it('sends the client’s address to the node, whatever the client claims', async () => {
  const { one, gateway } = await startBoth();
  const { got } = await upgraded(gateway.url(), `/socket.io/?sid=${one.tag}.abc`);
  await eventually(() => got.text.endsWith('one'));
  expect(one.seen.at(-1)).toMatch(/ for 127\.0\.0\.1$/);
});

it('closes the connection to the node when the client disappears, and vice versa', async () => {
  const { one, gateway } = await startBoth();
  const path = `/socket.io/?sid=${one.tag}.abc`;
  const first = await upgraded(gateway.url(), path);
  await eventually(() => one.open.size === 1 && first.got.text.endsWith('one'));
  first.socket.resetAndDestroy();
  await eventually(() => one.open.size === 0);

  const second = await upgraded(gateway.url(), path);
  await eventually(() => one.open.size === 1 && second.got.text.endsWith('one'));
  for (const socket of one.open) socket.resetAndDestroy();
  await once(second.socket, 'close');
  // The gateway still accepts connections.
  expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
});

it('ends a connection that its node reset, without an HTTP response in its stream or a failure of the node (code 21)', async () => {
  const { one, gateway } = await startBoth();
  const failures = async () =>
    (await metrics.upstreamFailures.get()).values.reduce((sum, { value }) => sum + value, 0);
  const before = await failures();
  const { socket, got } = await upgraded(gateway.url(), `/socket.io/?sid=${one.tag}.abc`);
  await eventually(() => one.open.size === 1 && got.text.endsWith('one'));
  const closed = once(socket, 'close');
  for (const each of one.open) each.resetAndDestroy();
  await closed;
  expect(got.text).toMatch(/^HTTP\/1\.1 101 /);
  expect(got.text).not.toContain('502');
  expect(got.text.endsWith('one')).toBe(true);
  expect(await failures()).toBe(before);
  // The node is not avoided.
  const again = await upgraded(gateway.url(), `/socket.io/?sid=${one.tag}.abc`);
  await eventually(() => again.got.text.endsWith('one'));
});

it('responds 503 without a node, to polls and upgrades', async () => {
  const { url: services } = await startUpstream(echo);
  for (const realtime of [[], [unreachableUrl]]) {
    const gateway = await startGateway(services, { realtime });
    expect((await fetch(`${gateway.url()}/socket.io/?transport=polling`)).status).toBe(503);
    expect(await raw(gateway.url(), upgradeOf('/socket.io/?transport=websocket'))).toMatch(
      /^HTTP\/1\.1 503 /,
    );
  }
});

it('stops with open sockets', async () => {
  const { one, gateway } = await startBoth();
  const { socket, got } = await upgraded(gateway.url(), `/socket.io/?sid=${one.tag}.abc`);
  await eventually(() => got.text.endsWith('one'));
  const closed = once(socket, 'close');
  await gateway.stop();
  await closed;
  await eventually(() => one.open.size === 0);
});

it('closes sockets one by one while it drains (Q22)', async () => {
  const { one, gateway } = await startBoth({ drainMs: 2_000 });
  for (let n = 0; n < 10; n++) await upgraded(gateway.url(), `/socket.io/?sid=${one.tag}.abc`);
  await eventually(() => one.open.size === 10);
  const stopped = gateway.stop();
  const left = new Set<number>();
  await eventually(
    () => {
      left.add(one.open.size);
      return one.open.size === 0;
    },
    { everyMs: 20 },
  );
  await stopped;
  expect(left.size).toBeGreaterThan(5);
});
