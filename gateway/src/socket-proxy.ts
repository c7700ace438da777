import { type ClientRequest, type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { socketPath } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { writeProblem } from '@wayquest/platform/http';
import { type Logger, logSecurityEvent, metrics } from '@wayquest/platform/telemetry';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { ClientAddressOf } from './client-address.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type ProxiedCall, proxy } from './proxy.ts';
import { type CountRequest, rateLimitKeyOf } from './rate-limits.ts';
import type { RealtimeNodes } from './realtime-nodes.ts';
import { checkTarget, pathOf, readBody } from './requests.ts';
import { Pool, problemOf, type UpstreamTimeouts } from './upstreams.ts';

export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** A response on a connection that Node's server has handed over with an upgrade; the connection ends with it. */
function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse | undefined {
  if (!(socket instanceof Socket) || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.destroySoon());
  return response;
}

/** Handles an upgrade request as a usual request, as a server may (RFC 9110, section 7.8). */
export function handleWithoutUpgrade(
  handler: RequestListener,
  request: IncomingMessage,
  socket: Duplex,
): void {
  socket.on('error', () => socket.destroy());
  const response = responseOn(request, socket);
  if (response) handler(request, response);
}

interface SocketProxyDeps {
  logger: Logger;
  nodes: RealtimeNodes;
  countRequest: CountRequest;
  clientAddressOf: ClientAddressOf;
  timeouts: UpstreamTimeouts;
  /** Limits the open WebSockets and long polls of each address. */
  socketLimiter: ConcurrencyLimiter;
}

/** Proxies long polling and WebSockets; all requests of a connection go to the node that holds it. */
export interface SocketProxy {
  owns(path: string): boolean;
  poll(call: Omit<ProxiedCall, 'upstream' | 'timeouts' | 'body'>): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the WebSockets one by one within `withinMs`, so that they do not all reconnect to another gateway at once. */
  drain(withinMs: number): Promise<void>;
  /** Closes the remaining WebSockets, which the HTTP server does not close. */
  close(): Promise<void>;
}

/** Timeout of a long poll, which ends with the next ping at the latest. */
const pollMs = 60_000;

const operation = { problems: [], navigation: true } as const;

/** Closes one end when the other closes, also before the upgrade. */
function closeTogether(outgoing: ClientRequest, socket: Socket): void {
  socket.once('close', () => outgoing.destroy());
  outgoing.once('upgrade', (_response, upstream) => {
    upstream.on('error', () => upstream.destroy());
    upstream.once('close', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
  });
}

const socketIdOf = ({ url = '' }: IncomingMessage): string | undefined =>
  new URL(url, 'http://gateway').searchParams.get('sid') ?? undefined;

/**
 * Creates the proxy of polls and WebSocket upgrades to the realtime nodes, which the gateway's HTTP server calls.
 */
export function createSocketProxy({
  logger,
  nodes,
  countRequest,
  clientAddressOf,
  timeouts,
  socketLimiter,
}: SocketProxyDeps): SocketProxy {
  const pools = new Map<string, Pool>();
  const openSockets = new Set<Duplex>();
  const origins = new WeakMap<IncomingMessage, string>();
  /** How many bytes had been written to a client's socket before its upgrade: of earlier requests on the same connection. */
  const bytesBefore = new WeakMap<IncomingMessage, number>();

  const poolOf = (origin: string): Pool => {
    const existing = pools.get(origin);
    if (existing) return existing;
    const pool = new Pool(origin, {
      // Unlimited: one for each long poll.
      connections: null,
      connect: { timeout: timeouts.connectMs },
      headersTimeout: pollMs,
      bodyTimeout: pollMs,
      keepAliveTimeout: timeouts.idleMs,
      keepAliveMaxTimeout: timeouts.idleMs,
    });
    pools.set(origin, pool);
    return pool;
  };

  const respondWithError = (request: IncomingMessage, socket: Duplex, error: unknown): void => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      logger.warn({ err: problem.cause ?? problem }, 'a socket could not be opened');
      metrics.upstreamFailures.inc({ upstream: 'realtime', problem: problem.code });
    }
    if (problem.status === 429) {
      const { address } = clientAddressOf(request);
      const operation = 'socket';
      logSecurityEvent(logger, { event: 'rate-limited', service: 'gateway', address, operation });
    }
    const response = responseOn(request, socket);
    if (response) writeProblem(response, problem, undefined);
  };

  const upgrades = createProxyMiddleware<IncomingMessage, ServerResponse>({
    router: (request) => origins.get(request),
    target: 'http://realtime',
    ws: true,
    on: {
      proxyReqWs(outgoing, request, socket) {
        closeTogether(outgoing, socket);
        const { address, protocol } = clientAddressOf(request);
        outgoing.setHeader('x-forwarded-for', address);
        outgoing.setHeader('x-forwarded-proto', protocol);
      },
      error(error, request, target) {
        // A connection that was established has ended. The client is in the middle of its stream, and reconnects.
        if (target instanceof Socket && target.bytesWritten > (bytesBefore.get(request) ?? 0)) {
          target.destroy();
          return;
        }
        const origin = origins.get(request);
        if (origin) nodes.markFailed(origin);
        if (target instanceof Socket) respondWithError(request, target, error);
      },
    },
  });

  /** Counts the connection until it closes. Returns the origin of its node. */
  const admit = async (request: IncomingMessage, opened: Duplex | ServerResponse): Promise<string> => {
    const key = rateLimitKeyOf(clientAddressOf(request).address, undefined);
    await countRequest(operation, key);
    const release = await socketLimiter.acquire(key.network);
    opened.once('close', release);
    if (opened.destroyed) release();
    return nodes.nodeOf(socketIdOf(request));
  };

  const owns = (path: string) => path === socketPath || path.startsWith(`${socketPath}/`);

  return {
    owns,

    async poll(call) {
      const origin = await admit(call.request, call.response);
      const body = await readBody(call.request);
      try {
        await proxy({ ...call, body, upstream: () => ({ pool: poolOf(origin) }), timeouts });
      } catch (error) {
        if (error instanceof Problem && error.status >= 500) nodes.markFailed(origin);
        throw error;
      }
    },

    upgrade(request, socket, head) {
      // An error event without a listener would end the process, and the proxy adds its own only once both sides are
      // connected.
      socket.on('error', () => socket.destroy());
      openSockets.add(socket);
      socket.once('close', () => openSockets.delete(socket));
      const begin = async () => {
        checkTarget(request);
        if (!owns(pathOf(request))) throw new Problem('not-found');
        origins.set(request, await admit(request, socket));
        if (!(socket instanceof Socket)) return;
        bytesBefore.set(request, socket.bytesWritten);
        await upgrades.upgrade(request, socket, head);
      };
      begin().catch((error: unknown) => respondWithError(request, socket, error));
    },

    async drain(withinMs) {
      const toClose = [...openSockets];
      for (const socket of toClose) {
        await pause(withinMs / toClose.length);
        socket.destroy();
      }
    },

    async close() {
      for (const socket of openSockets) socket.destroy();
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
