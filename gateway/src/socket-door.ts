import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { socketPath } from '@wayquest/contracts';
import { Problem, writeProblem } from '@wayquest/platform/http';
import { type Logger, metrics, tellSecurity } from '@wayquest/platform/telemetry';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { AtOnce } from './at-once.ts';
import type { CallerOf } from './caller.ts';
import { Pool } from './pool.ts';
import { type ProxiedCall, proxy } from './proxy.ts';
import type { CountCall } from './rate-limits.ts';
import type { RealtimeNodes } from './realtime-nodes.ts';
import { readBody } from './request-body.ts';
import { checkTarget, pathOf } from './request-target.ts';
import { responseOn } from './upgrades.ts';
import { problemOf } from './upstream-errors.ts';
import type { Patience } from './upstreams.ts';
import { visitorOf } from './visitor.ts';

interface SocketDoorDeps {
  logger: Logger;
  nodes: RealtimeNodes;
  count: CountCall;
  callerOf: CallerOf;
  patience: Patience;
  /** What each address may have open: WebSockets, and polls that wait. */
  socketsAtOnce: AtOnce;
}

/** Where sockets go: polling and WebSocket, each client always to the node that its connection lives on. */
export interface SocketDoor {
  owns(path: string): boolean;
  poll(call: Omit<ProxiedCall, 'upstream' | 'patience' | 'body'>): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts the WebSockets one after the other, so that not all of them come back through another gateway at once. */
  letGo(withinMs: number): Promise<void>;
  /** Cuts what is left, which no server closes by itself. */
  close(): Promise<void>;
}

/** A poll waits until there is something to say, at the latest the next ping. */
const pollMs = 60_000;

const operation = { problems: [], navigation: true } as const;

/** When one end goes, so does the other, also without a word and before the upgrade. */
function tie(outgoing: ClientRequest, socket: Socket): void {
  socket.once('close', () => outgoing.destroy());
  outgoing.once('upgrade', (_answer, upstream) => {
    upstream.on('error', () => upstream.destroy());
    upstream.once('close', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
  });
}

const socketIdOf = ({ url = '' }: IncomingMessage): string | undefined =>
  new URL(url, 'http://gateway').searchParams.get('sid') ?? undefined;

export function createSocketDoor({
  logger,
  nodes,
  count,
  callerOf,
  patience,
  socketsAtOnce,
}: SocketDoorDeps): SocketDoor {
  const pools = new Map<string, Pool>();
  const open = new Set<Duplex>();
  const origins = new WeakMap<IncomingMessage, string>();

  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, {
      // As many as there are polls, which wait for nothing else than their turn to hear.
      connections: null,
      connect: { timeout: patience.connectMs },
      headersTimeout: pollMs,
      bodyTimeout: pollMs,
      keepAliveTimeout: patience.idleMs,
      keepAliveMaxTimeout: patience.idleMs,
    });
    pools.set(origin, pool);
    return pool;
  };

  const refuse = (request: IncomingMessage, socket: Duplex, error: unknown): void => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      logger.warn({ err: problem.cause ?? problem }, 'a socket could not be opened');
      metrics.upstreamFailures.inc({ upstream: 'realtime', problem: problem.code });
    }
    if (problem.status === 429) {
      const { address } = callerOf(request);
      const operation = 'socket';
      tellSecurity(logger, { event: 'refused-by-limit', service: 'gateway', address, operation });
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
        tie(outgoing, socket);
        const { address, protocol } = callerOf(request);
        outgoing.setHeader('x-forwarded-for', address);
        outgoing.setHeader('x-forwarded-proto', protocol);
      },
      error(error, request, target) {
        const origin = origins.get(request);
        if (origin) nodes.avoid(origin);
        if (target instanceof Socket) refuse(request, target, error);
      },
    },
  });

  /** Answers the node to go to; what is opened counts until it closes. */
  const admit = async (request: IncomingMessage, opened: Duplex | ServerResponse): Promise<string> => {
    const visitor = visitorOf(callerOf(request).address, undefined);
    await count(operation, visitor);
    const leave = await socketsAtOnce.enter(visitor.network);
    opened.once('close', leave);
    if (opened.destroyed) leave();
    return nodes.nodeOf(socketIdOf(request));
  };

  const owns = (path: string) => path === socketPath || path.startsWith(`${socketPath}/`);

  return {
    owns,

    async poll(call) {
      const origin = await admit(call.request, call.response);
      const body = await readBody(call.request);
      try {
        await proxy({ ...call, body, upstream: () => ({ pool: poolOf(origin) }), patience });
      } catch (error) {
        if (error instanceof Problem && error.status >= 500) nodes.avoid(origin);
        throw error;
      }
    },

    upgrade(request, socket, head) {
      // Without a listener an error of either end would end the process; the proxy listens only once both are there.
      socket.on('error', () => socket.destroy());
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      const begin = async () => {
        checkTarget(request);
        if (!owns(pathOf(request))) throw new Problem('not-found');
        origins.set(request, await admit(request, socket));
        if (socket instanceof Socket) await upgrades.upgrade(request, socket, head);
      };
      begin().catch((error: unknown) => refuse(request, socket, error));
    },

    async letGo(withinMs) {
      const leaving = [...open];
      for (const socket of leaving) {
        await pause(withinMs / leaving.length);
        socket.destroy();
      }
    },

    async close() {
      for (const socket of open) socket.destroy();
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
