import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import { createClient } from '@wayquest/contracts';
import {
  createProcessPart,
  describeWith,
  eventually,
  type Network,
  newUser,
  openTab,
  type Part,
  settingsWithoutLimits,
  startNetwork,
} from '@wayquest/testing';
import { type Edge, startEdge } from './edge.ts';

const callsASecond = 30;

/** Makes calls at a steady rate until it is stopped; every other one must not be repeated. */
function keepCalling(url: string, token: string) {
  const client = createClient({ baseUrl: url, token: () => token });
  const failed: unknown[] = [];
  const calls: Promise<unknown>[] = [];
  const call = () =>
    calls.length % 2
      ? client.getMe()
      : client.createChallenge({ body: { name: `Walk ${calls.length}`, difficulty: 'Easy' } });
  const timer = setInterval(() => {
    calls.push(call().catch((error: unknown) => failed.push(error)));
  }, 1_000 / callsASecond);
  return {
    failed,
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      return calls.length;
    },
  };
}

interface Gateway {
  part: Part;
  address: string;
  /** Number of calls that it has handled. */
  calls: number;
}

(await describeWith('haproxy'))('the edge', () => {
  let network: Network;
  let edge: Edge;
  const started: Part[] = [];
  /** Limit of login attempts per address at each gateway. */
  const attempts = 4;

  /** Starts a gateway at its own address, as in a container. */
  const startGateway = async (): Promise<Gateway> => {
    const address = `127.0.1.${started.length + 1}`;
    const gateway = { address, calls: 0 };
    const part = await createProcessPart({
      name: 'gateway',
      host: address,
      port: edge.gatewayPort,
      managementPort: edge.gatewayManagementPort,
      print: (line) => {
        if (line.includes('"msg":"request"')) gateway.calls++;
      },
    });
    started.push(part);
    const services = Object.entries(network.services).map(([name, service]) => [
      `${name.toUpperCase()}_URL`,
      network.names.some((one) => one === name) ? service.url() : 'http://127.0.0.1:9',
    ]);
    await part.start({
      ...Object.fromEntries(services),
      ...settingsWithoutLimits,
      RATE_LIMIT_LOGIN_PER_IP: String(attempts),
      TRUSTED_PROXIES: '1',
      DRAIN_SECONDS: '2',
    });
    edge.gateways.push(address);
    return Object.assign(gateway, { part });
  };

  /** Stops a gateway, then removes its address from DNS, as Docker does for a container. */
  const stopGateway = async ({ part, address }: Gateway) => {
    const stopped = part.stop();
    await eventually(async () => !(await fetch(`${part.managementUrl}/readyz`)).ok);
    // It responds until the edge has noticed.
    expect((await fetch(`${part.url}/api/leaderboard`)).status).toBe(200);
    await stopped;
    edge.gateways.splice(edge.gateways.indexOf(address), 1);
  };

  const untilUsed = async (gateway: Gateway) => {
    const before = gateway.calls;
    await eventually(async () => {
      await (await fetch(`${edge.url}/api/leaderboard`)).text();
      return gateway.calls > before;
    });
  };

  let gateways: [Gateway, Gateway];
  beforeAll(async () => {
    network = await startNetwork({ services: ['auth', 'users', 'challenges', 'realtime'] });
    edge = await startEdge();
    gateways = [await startGateway(), await startGateway()];
    for (const gateway of gateways) await untilUsed(gateway);
  });
  afterAll(async () => {
    for (const part of started) await part.kill();
    await edge?.stop();
    await network?.stop();
  });

  test('loses no call while gateways are replaced one by one, and sockets reconnect', async () => {
    const ann = await newUser(network);
    const tabs = await Promise.all(Array.from({ length: 6 }, () => openTab(edge.url, ann.token)));
    const first = tabs.map(({ socket }) => socket.id);
    const calling = keepCalling(edge.url, ann.token);
    for (const old of gateways) {
      await stopGateway(old);
      await untilUsed(await startGateway());
    }
    const calls = await calling.stop();
    expect(calling.failed).toEqual([]);
    expect(calls).toBeGreaterThan(4 * callsASecond);
    await eventually(() => tabs.every(({ socket }, n) => socket.connected && socket.id !== first[n]));
    for (const { socket } of tabs) socket.disconnect();
  });

  test('counts calls by the client’s address, whatever the client claims', async () => {
    let count = 0;
    const attemptFrom = async (localAddress: string) => {
      const headers = { 'x-forwarded-for': `10.0.0.${++count}` };
      const { statusCode } = await send(edge, {
        path: '/auth/login',
        method: 'POST',
        localAddress,
        headers,
      });
      return statusCode;
    };
    const statusesFrom = (localAddress: string) =>
      Promise.all(Array.from({ length: 2 * attempts + 1 }, () => attemptFrom(localAddress)));
    expect(await statusesFrom('127.0.0.2')).toContain(429);
    expect(await attemptFrom('127.0.0.3')).toBe(400);
  });
});

/** Sends a raw request; returns the head of the response. */
async function send(edge: Edge, options: RequestOptions): Promise<IncomingMessage> {
  const sent = request(edge.url, { agent: false, ...options }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  if (!response) throw new Error('there was no response');
  return response;
}

(await describeWith('haproxy'))('the edge in front of failing gateways', () => {
  let edge: Edge;
  let servers: Server[];
  /** Whether the first gateway is ready; the second one always is. */
  let isReady: boolean;
  let seen: { method: string; headers: IncomingHttpHeaders }[];
  /** Number of next calls whose connection is closed without a response. */
  let failures: number;
  /** Sockets of calls that get no response. */
  let waiting: Socket[];

  const listenAt = async (address: string, port: number, listener: RequestListener) => {
    const server = createServer(listener).listen(port, address);
    await once(server, 'listening');
    servers.push(server);
  };
  const closeFirst = () => {
    for (const server of servers.splice(0, 2)) {
      server.close();
      server.closeAllConnections();
    }
  };
  const status = async (path: string) => (await fetch(`${edge.managementUrl}${path}`)).status;

  beforeAll(async () => {
    servers = [];
    edge = await startEdge();
    for (const address of ['127.0.2.1', '127.0.2.2']) {
      await listenAt(address, edge.gatewayPort, ({ method = '', url, headers, socket }, response) => {
        seen.push({ method, headers });
        if (url === '/wait') waiting.push(socket);
        else if (failures-- > 0) socket.destroy();
        else response.end(address);
      });
      await listenAt(address, edge.gatewayManagementPort, (_request, response) => {
        response.writeHead(isReady || address !== '127.0.2.1' ? 200 : 503).end();
      });
    }
  });
  beforeEach(() => {
    seen = [];
    failures = 0;
    waiting = [];
    isReady = true;
  });
  afterAll(async () => {
    closeFirst();
    closeFirst();
    await edge?.stop();
  });

  test('is ready once it has found a gateway', async () => {
    expect([await status('/readyz'), await status('/healthz')]).toEqual([503, 200]);
    edge.gateways.push('127.0.2.1', '127.0.2.2');
    await eventually(async () => (await status('/readyz')) === 200);
    const respondingGateway = async () => (await fetch(edge.url)).text();
    await eventually(async () => (await respondingGateway()) === '127.0.2.1');
    await eventually(async () => (await respondingGateway()) === '127.0.2.2');
  });

  test('has metrics for Prometheus on the port for operators, and nowhere else', async () => {
    const metrics = await (await fetch(`${edge.managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^haproxy_backend_active_servers{proxy="gateways"} 2$/m);
    expect(await (await fetch(`${edge.url}/metrics`)).text()).not.toContain('haproxy');
  });

  test('sends no calls to a gateway while it is not ready', async () => {
    const respondingGateway = async () =>
      new Set(await Promise.all(Array.from({ length: 8 }, () => fetch(edge.url).then((one) => one.text()))));
    isReady = false;
    await eventually(async () => expect(await respondingGateway()).toEqual(new Set(['127.0.2.2'])));
    isReady = true;
    await eventually(async () => expect((await respondingGateway()).size).toBe(2));
  });

  test.each(['GET', 'HEAD'])('repeats %s after a gateway closed the connection', async (method) => {
    failures = 1;
    expect((await send(edge, { method })).statusCode).toBe(200);
    expect(seen).toHaveLength(2);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'sends %s once, even if a gateway closed the connection',
    async (method) => {
      failures = 1;
      expect((await send(edge, { method })).statusCode).toBe(502);
      expect(seen).toHaveLength(1);
    },
  );

  test('cancels the call of a client that disconnected', async () => {
    const pending = request(`${edge.url}/wait`).on('error', () => {});
    pending.end();
    await eventually(() => waiting.length === 1);
    pending.destroy();
    await eventually(() => waiting.every(({ destroyed }) => destroyed));
  });

  test('adds the client’s address, and removes a claimed protocol', async () => {
    await send(edge, { headers: { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' } });
    expect(seen[0]?.headers['x-forwarded-for']).toBe('6.6.6.6, 127.0.0.1');
    expect(seen[0]?.headers['x-forwarded-proto']).toBeUndefined();
  });

  test('sends a call to another gateway if the first one does not accept it', async () => {
    closeFirst();
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(edge, { method: 'POST' })));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(seen).toHaveLength(20);
  });
});
