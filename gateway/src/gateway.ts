import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServiceName, WebSettings } from '@wayquest/contracts';
import { listen, type RunningServer } from '@wayquest/platform/http';
import { type Clock, reached, systemClock } from '@wayquest/platform/process';
import type { connectRedis } from '@wayquest/platform/redis';
import { beginSecurityEvents, type Logger } from '@wayquest/platform/telemetry';
import { type AtOnceLimits, createAtOnce, createCallsAtOnce, defaultAtOnce } from './at-once.ts';
import { createCallerOf } from './caller.ts';
import { createDoor } from './door.ts';
import { createOwnApp } from './own-app.ts';
import { createPreviews } from './previews.ts';
import { createRateLimits, defaultRateLimits, type RateLimits } from './rate-limits.ts';
import { createRealtimeNodes } from './realtime-nodes.ts';
import { createRouteTable } from './route-table.ts';
import { createSocketDoor } from './socket-door.ts';
import { answerWithoutUpgrade, isWebSocket } from './upgrades.ts';
import {
  createUpstreams,
  defaultConnections,
  defaultPatience,
  type Patience,
  type UpstreamAddress,
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
  /** How much each may have open at once. */
  atOnce?: Partial<AtOnceLimits>;
  patience?: Partial<Patience>;
  /** How many, at most, to each service. */
  connections?: number;
  /** How long it goes on as before once it is told to stop, but for saying that it is not ready. */
  drainMs?: number;
  /** Where browsers find Wayquest, as an origin; what each request names, if not given. */
  publicUrl?: string | undefined;
  /** Whether browsers are to use https for every host below this one too. */
  hstsSubdomains?: boolean;
  /** The machine's if not given. */
  clock?: Clock;
}

/** The public door as a value: production, the all-in-one runner and the tests use the same. */
export interface Gateway {
  name: 'gateway';
  start(): Promise<void>;
  /** Finishes what is in hand and closes. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
  /** Where it listens, once started. */
  url(): string;
}

/** A client that sends its request's head more slowly, or takes nothing of its answer for so long, is cut off. */
const headMs = 15_000;
const silenceMs = 60_000;

/** The one public door of Wayquest. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { port, host = '127.0.0.1', webDirectory, development = false, trustedProxies = 0 } = deps;
  const { connections = defaultConnections, realtime = [], webSettings = defaultWebSettings } = deps;
  const { drainMs = 0, clock = systemClock, publicUrl, hstsSubdomains = false } = deps;
  const patience = { ...defaultPatience, ...deps.patience };
  const logger = deps.logger.child({ service: 'gateway' });
  const routes = createRouteTable();
  const upstreams = createUpstreams(deps.upstreams, { connections, patience, clock });
  const count = createRateLimits({ ...defaultRateLimits, ...deps.rateLimits }, deps.redis);
  const atOnce = { ...defaultAtOnce, ...deps.atOnce };
  const callsAtOnce = createCallsAtOnce(atOnce, patience.connectMs);
  const socketsAtOnce = createAtOnce(atOnce.sockets, 0);
  const nodes = createRealtimeNodes(realtime);
  const callerOf = createCallerOf(trustedProxies, logger);
  const sockets = createSocketDoor({ logger, nodes, count, callerOf, patience, socketsAtOnce });
  const previewOf = createPreviews({ upstreams, count, callerOf });
  let server: RunningServer | undefined;
  let stopping = false;

  return {
    name: 'gateway',
    async start() {
      stopping = false;
      beginSecurityEvents('gateway');
      const webApp =
        webDirectory === undefined
          ? undefined
          : await reached(
              'WEB_DIRECTORY',
              serveWebApp(webDirectory, {
                settings: webSettings,
                development,
                previewOf,
                callerOf,
                publicUrl,
              }),
            );
      const ownApp = createOwnApp({ logger, settings: webSettings, reserves: routes.reserves, webApp });
      const door = createDoor({
        logger,
        clock,
        routes,
        upstreams,
        count,
        callsAtOnce,
        sockets,
        ownApp,
        callerOf,
        hstsSubdomains,
      });
      server = await listen(door, { port, host });
      server.server.on('upgrade', (request, socket, head) => {
        if (isWebSocket(request)) sockets.upgrade(request, socket, head);
        else answerWithoutUpgrade(door, request, socket);
      });
      server.server.headersTimeout = headMs;
      server.server.setTimeout(silenceMs);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      stopping = true;
      if (server && drainMs) {
        // Balancers have turned away by half of the time.
        await pause(drainMs / 2);
        await Promise.all([pause(drainMs / 2), sockets.letGo(drainMs / 2)]);
      }
      // Whoever is cut off comes back at once, and not to here.
      const closed = server?.stop();
      await sockets.close();
      await closed;
      server = undefined;
      await upstreams.close();
      logger.info('stopped');
    },
    // A service that is down does not close the door to the others.
    ready: async () => server !== undefined && !stopping,
    url: () => `http://${host}:${server?.port}`,
  };
}
