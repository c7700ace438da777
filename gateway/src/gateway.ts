import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServiceName, WebSettings } from '@wayquest/contracts';
import { listen, type RunningServer } from '@wayquest/platform/http';
import { type Clock, connectOrFail, systemClock } from '@wayquest/platform/process';
import type { connectRedis } from '@wayquest/platform/redis';
import { initSecurityEventMetrics, type Logger } from '@wayquest/platform/telemetry';
import { createClientAddressOf } from './client-address.ts';
import {
  type ConcurrencyLimits,
  createConcurrencyLimiter,
  createRequestConcurrencyLimiter,
  defaultConcurrencyLimits,
} from './concurrency-limiter.ts';
import { createGatewayRoutes } from './gateway-routes.ts';
import { createPreviews } from './previews.ts';
import { createRateLimits, defaultRateLimits, type RateLimits } from './rate-limits.ts';
import { createRealtimeNodes } from './realtime-nodes.ts';
import { createRequestHandler } from './request-handler.ts';
import { createRouteTable } from './route-table.ts';
import { createSocketProxy } from './socket-proxy.ts';
import { answerWithoutUpgrade, isWebSocket } from './upgrades.ts';
import {
  createUpstreams,
  defaultConnections,
  defaultTimeouts,
  type UpstreamAddress,
  type UpstreamTimeouts,
} from './upstreams.ts';
import { serveWebApp } from './web-app.ts';
import { defaultWebSettings } from './web-settings.ts';

/** What the gateway is given by whoever runs it. */
export interface GatewayDeps {
  logger: Logger;
  /** 0 picks a free one. */
  port: number;
  host?: string;
  upstreams: Record<HttpServiceName, UpstreamAddress>;
  /** Where the nodes of the realtime service listen; a name may stand for several. */
  realtime?: UpstreamAddress[];
  /** The built web app; without it the gateway serves calls alone. */
  webDirectory?: string | undefined;
  /** What pages are told; the open map with OpenStreetMap's tiles if not said. */
  webSettings?: WebSettings;
  /** Reads the web app's files again for every request. */
  development?: boolean;
  /** How many proxies stand in front, whose `x-forwarded-*` headers are believed. */
  trustedProxies?: number;
  /** Counts attempts to log in for all gateways together. */
  redis?: ReturnType<typeof connectRedis> | undefined;
  rateLimits?: Partial<RateLimits>;
  /** Max concurrent requests and sockets of a client. */
  concurrencyLimits?: Partial<ConcurrencyLimits>;
  timeouts?: Partial<UpstreamTimeouts>;
  /** How many, at most, to each service. */
  connections?: number;
  /** How long it serves requests after stop(), while `ready` answers false. */
  drainMs?: number;
  /** Where browsers find Wayquest, as an origin; what each request names, if not given. */
  publicUrl?: string | undefined;
  /** Whether browsers are to use https for every host below this one too. */
  hstsSubdomains?: boolean;
  /** The machine's if not given. */
  clock?: Clock;
}

/** The public entry point as a value: production, the all-in-one runner and the tests use the same. */
export interface Gateway {
  name: 'gateway';
  start(): Promise<void>;
  /** Finishes the active requests and closes. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
  /** Where it listens, once started. */
  url(): string;
}

/** A client is cut off that sends its headers more slowly, or drains nothing of its response for this long. */
const headMs = 15_000;
const silenceMs = 60_000;

/** The public entry point of Wayquest. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { port, host = '127.0.0.1', webDirectory, development = false, trustedProxies = 0 } = deps;
  const { connections = defaultConnections, realtime = [], webSettings = defaultWebSettings } = deps;
  const { drainMs = 0, clock = systemClock, publicUrl, hstsSubdomains = false } = deps;
  const timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const logger = deps.logger.child({ service: 'gateway' });
  const routes = createRouteTable();
  const upstreams = createUpstreams(deps.upstreams, { connections, timeouts, clock });
  const count = createRateLimits({ ...defaultRateLimits, ...deps.rateLimits }, deps.redis);
  const concurrencyLimits = { ...defaultConcurrencyLimits, ...deps.concurrencyLimits };
  const requestLimiter = createRequestConcurrencyLimiter(concurrencyLimits, timeouts.connectMs);
  const socketLimiter = createConcurrencyLimiter(concurrencyLimits.sockets, 0);
  const nodes = createRealtimeNodes(realtime);
  const clientAddressOf = createClientAddressOf(trustedProxies, logger);
  const sockets = createSocketProxy({ logger, nodes, count, clientAddressOf, timeouts, socketLimiter });
  const previewOf = createPreviews({ upstreams, count, clientAddressOf });
  let server: RunningServer | undefined;
  let stopping = false;

  return {
    name: 'gateway',
    async start() {
      stopping = false;
      initSecurityEventMetrics('gateway');
      const webApp =
        webDirectory === undefined
          ? undefined
          : await connectOrFail(
              'WEB_DIRECTORY',
              serveWebApp(webDirectory, {
                settings: webSettings,
                development,
                previewOf,
                clientAddressOf,
                publicUrl,
              }),
            );
      const gatewayRoutes = createGatewayRoutes({
        logger,
        settings: webSettings,
        reserves: routes.reserves,
        webApp,
      });
      const handler = createRequestHandler({
        logger,
        clock,
        routes,
        upstreams,
        count,
        requestLimiter,
        sockets,
        gatewayRoutes,
        clientAddressOf,
        hstsSubdomains,
      });
      server = await listen(handler, { port, host });
      server.server.on('upgrade', (request, socket, head) => {
        if (isWebSocket(request)) sockets.upgrade(request, socket, head);
        else answerWithoutUpgrade(handler, request, socket);
      });
      server.server.headersTimeout = headMs;
      server.server.setTimeout(silenceMs);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      stopping = true;
      if (server && drainMs) {
        // By half of the time load balancers send nothing any more.
        await pause(drainMs / 2);
        await Promise.all([pause(drainMs / 2), sockets.drain(drainMs / 2)]);
      }
      // Closed sockets reconnect at once, elsewhere.
      const closed = server?.stop();
      await sockets.close();
      await closed;
      server = undefined;
      await upstreams.close();
      logger.info('stopped');
    },
    // Ready even while a service is down: the others can still be reached.
    ready: async () => server !== undefined && !stopping,
    url: () => `http://${host}:${server?.port}`,
  };
}
