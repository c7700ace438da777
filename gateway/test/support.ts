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

/** Stops what a test started, the last first. */
export async function cleanUp(): Promise<void> {
  for (const stop of cleanups.splice(0).reverse()) await stop();
}

export interface Upstream {
  url: string;
  /** What it was asked, in order: `GET /path`. */
  seen: string[];
  stop(): Promise<void>;
}

/** A real HTTP server in the place of a service. */
export async function startUpstream(listener: RequestListener, port = 0): Promise<Upstream> {
  const seen: string[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    // One that still reads when the gateway leaves has nobody to tell.
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

/** An address at which nothing listens: no port that another test could be given meanwhile. */
export const nowhere = 'http://127.0.0.1:1';

/** Answers every call with what it was asked, as JSON. */
export const echo: RequestListener = async (incoming, response) => {
  const body = await textOf(incoming);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }),
  );
};

/** A gateway on a free port before one upstream for all services, unless told otherwise. */
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

/** A request whose body and connection the test holds in its own hands (fetch hides both). */
export function open(
  url: string,
  options: { method?: string; path?: string; headers?: OutgoingHttpHeaders; agent?: Agent } = {},
): { request: ClientRequest; answer: Promise<IncomingMessage> } {
  const outgoing = request(url, { agent: false, ...options });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // A test that hangs up on purpose is not interested in its own error.
  answer.catch(() => {});
  return { request: outgoing, answer };
}

/** Sends bytes as they are and returns all that comes back until the gateway closes the connection. */
export async function raw(url: string, text: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(Buffer.from(text, 'latin1'));
  return textOf(socket);
}

/** A promise and the way to keep it. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, open: resolve };
}

type Entry = Record<string, unknown>;

/** A logger whose lines the test reads. */
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
  const find = (wanted: Entry) =>
    entries.find((entry) => Object.entries(wanted).every(([name, value]) => entry[name] === value));
  return {
    logger,
    entries,
    async waitFor(wanted) {
      for (;;) {
        const found = find(wanted);
        if (found) return found;
        await once(news, 'entry');
      }
    },
  };
}
