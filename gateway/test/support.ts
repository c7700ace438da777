import { EventEmitter, once } from 'node:events';
import {
  type Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createLogger, type Logger } from '@wayquest/platform/telemetry';
import { createGateway, type Gateway, type GatewayDeps } from '../src/index.ts';

const cleanups: (() => Promise<unknown>)[] = [];

export const cleanUpLater = (stop: () => Promise<unknown>): void => {
  cleanups.push(stop);
};

/** Stops what a test started, in reverse order. */
export async function cleanUp(): Promise<void> {
  for (const stop of cleanups.splice(0).reverse()) await stop();
}

export interface Upstream {
  url: string;
  /** Received requests in order: `GET /path`. */
  seen: string[];
  stop(): Promise<void>;
}

/** Starts an HTTP server in place of a service. */
export async function startUpstream(listener: RequestListener, port = 0): Promise<Upstream> {
  const seen: string[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    // Reading a request fails if the gateway disconnects.
    Promise.resolve(listener(incoming, response)).catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  cleanups.push(stop);
  const bound = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${bound.port}`, seen, stop };
}

/** A URL without a listener, on a port that no other test can get. */
export const unreachableUrl = 'http://127.0.0.1:1';

/** Responds with the request as JSON. */
export const echo: RequestListener = async (incoming, response) => {
  const body = await textOf(incoming);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }),
  );
};

/**
 * Starts a gateway on a free port.
 *
 * @param all - URL of the upstream for all services.
 * @param options - `upstreams`: URLs of single services.
 */
export async function startGateway(
  all: string,
  {
    upstreams,
    ...deps
  }: Partial<Omit<GatewayDeps, 'upstreams'>> & { upstreams?: Partial<GatewayDeps['upstreams']> } = {},
): Promise<Gateway> {
  const gateway = createGateway({
    logger: createLogger({ name: 'test', level: 'silent' }),
    port: 0,
    upstreams: {
      auth: all,
      users: all,
      challenges: all,
      participation: all,
      friends: all,
      notifications: all,
      moderation: all,
      chat: all,
      places: all,
      ...upstreams,
    },
    ...deps,
  });
  await gateway.start();
  cleanups.push(() => gateway.stop());
  return gateway;
}

export async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Starts a request whose body and connection the test controls, which fetch does not allow. */
export function open(
  url: string,
  options: { method?: string; path?: string; headers?: OutgoingHttpHeaders; agent?: Agent } = {},
): { request: ClientRequest; reply: Promise<IncomingMessage> } {
  const outgoing = request(url, { agent: false, ...options });
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // A test that disconnects on purpose ignores the error.
  reply.catch(() => {});
  return { request: outgoing, reply };
}

/** Sends raw bytes, and returns everything that is received until the gateway closes the connection. */
export async function raw(url: string, text: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(Buffer.from(text, 'latin1'));
  return textOf(socket);
}

/** Creates a promise and the function that resolves it. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfill) => {
    resolve = fulfill;
  });
  return { promise, open: resolve };
}

type Entry = Record<string, unknown>;

/** Creates a logger that records its entries. */
export function recordLog(): { logger: Logger; entries: Entry[]; waitFor(entry: Entry): Promise<Entry> } {
  const entries: Entry[] = [];
  const news = new EventEmitter();
  const record = (entry: Entry) => {
    entries.push(entry);
    news.emit('entry');
  };
  const logger: Logger = Object.assign(createLogger({ name: 'test', level: 'silent' }), {
    info: record,
    warn: record,
    child: (): Logger => logger,
  });
  const find = (expected: Entry) =>
    entries.find((entry) => Object.entries(expected).every(([name, value]) => entry[name] === value));
  return {
    logger,
    entries,
    async waitFor(expected) {
      for (;;) {
        const found = find(expected);
        if (found) return found;
        await once(news, 'entry');
      }
    },
  };
}
