import { setTimeout as pause } from 'node:timers/promises';
import type { HttpServiceName, WebSettings } from '@wayquest/contracts';
import { type Clock, systemClock } from '@wayquest/platform/async';
import { listen, type RunningServer } from '@wayquest/platform/http';
import type { Redis } from '@wayquest/platform/redis';
import { connectOrFail, defaultSite, type Site } from '@wayquest/platform/settings';
import { initSecurityEventMetrics, type Logger } from '@wayquest/platform/telemetry';
import { shadesOf } from './accent.ts';
import { createClientAddressOf } from './client-address.ts';
import {
  type ConcurrencyLimits,
  createConcurrencyLimiter,
  createRequestConcurrencyLimiter,
  defaultConcurrencyLimits,
} from './concurrency-limiter.ts';
import { createGatewayRoutes } from './gateway-routes.ts';
import { createHealth } from './health.ts';
import { createPreviews } from './previews.ts';
import { createRateLimits, defaultRateLimits, type RateLimits } from './rate-limits.ts';
import { createRealtimeNodes } from './realtime-nodes.ts';
import { createReadRegistration } from './registration.ts';
import { createRequestHandler } from './request-handler.ts';
import { createRouteTable } from './route-table.ts';
import { readSiteFolder } from './site-folder.ts';
import { siteLogoIn } from './site-logo.ts';
import { sitePagesIn } from './site-pages.ts';
import { createSocketProxy, handleWithoutUpgrade, isWebSocket } from './socket-proxy.ts';
import {
  createUpstreams,
  defaultConnections,
  defaultTimeouts,
  type UpstreamAddress,
  type UpstreamTimeouts,
} from './upstreams.ts';
import { serveWebApp } from './web-app.ts';
import { defaultWebSettings } from './web-settings.ts';

/** The gateway's dependencies and configuration. */
export interface GatewayDeps {
  logger: Logger;
  /** 0 picks a free one. */
  port: number;
  host?: string;
  upstreams: Record<HttpServiceName, UpstreamAddress>;
  /** Addresses of the realtime service; a host name may resolve to several nodes. */
  realtime?: UpstreamAddress[];
  /** The folder of the built web app; without it only the API is served. */
  webDirectory?: string | undefined;
  /** The configuration of pages; by default the open map with OpenStreetMap's tiles. */
  webSettings?: WebSettings;
  /** What the operator calls this installation, and its language; by default Wayquest, in English. */
  site?: Site;
  /** The folder of the operator's pages and logo; by default there are none. */
  siteFolder?: string | undefined;
  /** The operator's color, as `#1d7a4f`; by default Wayquest's purple. */
  siteColor?: string | undefined;
  /** Reads the web app's files again for every request. */
  development?: boolean;
  /** Number of proxies in front, whose `x-forwarded-*` headers are trusted. */
  trustedProxies?: number;
  /** Redis for limits of all gateways together; in memory without it. */
  redis?: Redis | undefined;
  rateLimits?: Partial<RateLimits>;
  /** Max concurrent requests and sockets of a client. */
  concurrencyLimits?: Partial<ConcurrencyLimits>;
  timeouts?: Partial<UpstreamTimeouts>;
  /** Maximum connections to each service. */
  connections?: number;
  /** How long it serves requests after stop(), in milliseconds, while `ready` is false. */
  drainMs?: number;
  /** The public origin of Wayquest; by default that of each request. */
  publicUrl?: string | undefined;
  /** Whether HSTS covers all subdomains. */
  hstsSubdomains?: boolean;
  /** Where people report vulnerabilities, as a URL; without it there is no security.txt. */
  securityContact?: string | undefined;
  /** Default: the system clock. */
  clock?: Clock;
}

/** The gateway, which can be started and stopped; production, the all-in-one process and tests use the same. */
export interface Gateway {
  name: 'gateway';
  start(): Promise<void>;
  /** Finishes the active requests and closes. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
  /** The URL that it listens on, once started. */
  url(): string;
}

/** A client that takes longer to send its headers, or reads nothing of a response for this long, is disconnected. */
const headersTimeoutMs = 15_000;
const idleTimeoutMs = 60_000;

/** A load balancer that checks twice a second stops using a gateway within this time; slower ones need a longer drain. */
const minNoticeMs = 1_000;

/** Creates the public entry point of Wayquest. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { port, host = '127.0.0.1', webDirectory, development = false, trustedProxies = 0 } = deps;
  const { connections = defaultConnections, realtime = [] } = deps;
  const { webSettings = defaultWebSettings, site = defaultSite, siteColor } = deps;
  const shades = siteColor === undefined ? undefined : shadesOf(siteColor);
  const { drainMs = 0, clock = systemClock, publicUrl, hstsSubdomains = false, securityContact } = deps;
  const timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const logger = deps.logger.child({ service: 'gateway' });
  const routes = createRouteTable();
  const upstreams = createUpstreams(deps.upstreams, { connections, timeouts, clock });
  const countRequest = createRateLimits({ ...defaultRateLimits, ...deps.rateLimits }, deps.redis);
  const concurrencyLimits = { ...defaultConcurrencyLimits, ...deps.concurrencyLimits };
  const requestLimiter = createRequestConcurrencyLimiter(concurrencyLimits, timeouts.connectMs);
  const socketLimiter = createConcurrencyLimiter(concurrencyLimits.sockets, 0);
  const nodes = createRealtimeNodes(realtime, clock);
  const clientAddressOf = createClientAddressOf(trustedProxies, logger);
  const sockets = createSocketProxy({
    logger,
    nodes,
    countRequest,
    clientAddressOf,
    timeouts,
    socketLimiter,
  });
  const unreadyServices = createHealth({ upstreams, nodes: realtime.length ? nodes : undefined, clock });
  const previewOf = createPreviews({
    ...{ upstreams, countRequest, clientAddressOf, clock },
    siteName: site.name,
  });
  const readRegistration = createReadRegistration({ upstreams, clock });
  let server: RunningServer | undefined;
  let stopping = false;

  return {
    name: 'gateway',
    async start() {
      stopping = false;
      initSecurityEventMetrics('gateway');
      const siteFiles = await readSiteFolder(deps.siteFolder);
      const sitePages = sitePagesIn(siteFiles);
      const logo = siteLogoIn(siteFiles);
      const webApp =
        webDirectory === undefined
          ? undefined
          : await connectOrFail(
              'WEB_DIRECTORY',
              serveWebApp(webDirectory, {
                settings: webSettings,
                site,
                sitePages,
                logo,
                shades,
                development,
                previewOf,
                readRegistration,
                clientAddressOf,
                publicUrl,
              }),
            );
      const gatewayRoutes = createGatewayRoutes({
        logger,
        settings: webSettings,
        site,
        sitePages,
        shades,
        reserves: routes.reserves,
        unreadyServices,
        securityContact,
        clock,
        webApp,
      });
      const handler = createRequestHandler({
        logger,
        clock,
        routes,
        upstreams,
        countRequest,
        requestLimiter,
        sockets,
        gatewayRoutes,
        clientAddressOf,
        hstsSubdomains,
        site,
        shades,
      });
      server = await listen(handler, { port, host });
      server.server.on('upgrade', (request, socket, head) => {
        if (isWebSocket(request)) sockets.upgrade(request, socket, head);
        else handleWithoutUpgrade(handler, request, socket);
      });
      server.server.headersTimeout = headersTimeoutMs;
      server.server.setTimeout(idleTimeoutMs);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      stopping = true;
      if (server && drainMs) {
        // Load balancers have stopped sending requests by then.
        const noticeMs = Math.max(drainMs / 4, Math.min(drainMs / 2, minNoticeMs));
        await pause(noticeMs);
        await Promise.all([pause(drainMs - noticeMs), sockets.drain(drainMs - noticeMs)]);
      }
      // Stops accepting connections first: closed sockets reconnect immediately, and should do so elsewhere.
      const closed = server?.stop();
      await sockets.close();
      await closed;
      server = undefined;
      await upstreams.close();
      logger.info('stopped');
    },
    // Ready even if a service is unavailable, since the others can be reached.
    ready: async () => server !== undefined && !stopping,
    url: () => `http://${host}:${server?.port}`,
  };
}
