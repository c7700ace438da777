import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { ipPrefix64, writeProblem } from '@wayquest/platform/http';
import type { Site } from '@wayquest/platform/settings';
import {
  callSpan,
  isRequestId,
  type Logger,
  logSecurityEvent,
  metrics,
  readTraceparent,
  requestIdHeader,
  type Span,
  startSpan,
} from '@wayquest/platform/telemetry';
import type { ClientAddress, ClientAddressOf } from './client-address.ts';
import type { RequestConcurrencyLimiter } from './concurrency-limiter.ts';
import { isNavigation, writeErrorPage } from './error-page.ts';
import { proxy } from './proxy.ts';
import { type CountRequest, createTarpit, rateLimitKeyOf } from './rate-limits.ts';
import { checkTarget, pathOf, readBody } from './requests.ts';
import type { Route, RouteTable } from './route-table.ts';
import { dataSecurity, strictTransport } from './security-headers.ts';
import type { SocketProxy } from './socket-proxy.ts';
import type { Upstreams } from './upstreams.ts';

/** How many calls a second, of all clients together, may continue a trace of their client. */
const maxPerSecond = 10;

/**
 * Returns a function that accepts or rejects a client's `traceparent`. A client may pass its own (and so force sampling)
 * to debug a call. Only a few per second are accepted, so that nobody floods the collector or a trace; all other calls
 * start a new trace with the configured sampling ratio.
 */
export function createClientTraces(
  now = () => performance.now(),
): (traceparent: unknown) => string | undefined {
  let windowEndsAt = 0;
  let remaining = 0;
  return (traceparent) => {
    if (traceparent === undefined) return undefined;
    if (now() >= windowEndsAt) {
      windowEndsAt = now() + 1_000;
      remaining = maxPerSecond;
    }
    if (remaining === 0 || typeof traceparent !== 'string' || !readTraceparent(traceparent)) return undefined;
    remaining -= 1;
    return traceparent;
  };
}

export interface RequestHandlerDeps {
  logger: Logger;
  clock: Clock;
  routes: RouteTable;
  upstreams: Upstreams;
  countRequest: CountRequest;
  requestLimiter: RequestConcurrencyLimiter;
  sockets: SocketProxy;
  /** Handles requests that match no operation. */
  gatewayRoutes: RequestListener;
  clientAddressOf: ClientAddressOf;
  /** Whether HSTS covers all subdomains. */
  hstsSubdomains: boolean;
  /** What error pages say about the installation. */
  site: Site;
  /** The operator's shades, if they have a color. */
  shades: string[] | undefined;
}

/** A request while it is handled. */
interface RequestContext {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Its span: operations are traced, pages and their files are not. */
  span: Span | undefined;
  client: ClientAddress;
  path: string;
  route: Route | undefined;
}

/**
 * Pages, files and documentation count against the address alone: a page loads many files, and its calls count against the token.
 */
const ownRequest = { problems: [], navigation: true } as const;

/** Logged as status if the client, or in the middle of a response the service, closed the connection. */
const clientClosedRequest = 499;

/** Handles all requests: those of the route table go to their service, others to `gatewayRoutes`. */
export function createRequestHandler({
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
}: RequestHandlerDeps): RequestListener {
  const delayRejection = createTarpit(clock);
  const traceOf = createClientTraces();

  const startRequestSpan = ({ headers }: IncomingMessage, { label }: Route): Span | undefined =>
    startSpan({ service: 'gateway', kind: 'server', name: label, parent: traceOf(headers.traceparent) });

  const handle = async ({
    request,
    response,
    requestId,
    span,
    client,
    path,
    route,
  }: RequestContext): Promise<void> => {
    checkTarget(request);
    const defaultHeaders = dataSecurity(client, hstsSubdomains);
    if (sockets.owns(path)) return sockets.poll({ request, response, requestId, client, defaultHeaders });
    if (route) {
      const key = rateLimitKeyOf(client.address, request.headers.authorization);
      await countRequest(route.operation, key);
      // The client disconnected while it was counted.
      if (response.destroyed) return;
      const release = await requestLimiter.acquire(route.operation, key);
      if (response.destroyed) return release();
      response.once('close', release);
      const body = await readBody(request);
      if (response.destroyed) return;
      const upstream = () => upstreams.forService(route.service);
      const { timeouts } = upstreams;
      const traceparent = span?.traceparent;
      return proxy({
        upstream,
        timeouts,
        request,
        response,
        requestId,
        traceparent,
        client,
        defaultHeaders,
        body,
      });
    }
    const allowed = routes.methodsAt(path);
    if (allowed.length > 0 && !allowed.includes(request.method ?? '')) {
      response.setHeader('allow', allowed.join(', '));
      throw new Problem('method-not-allowed');
    }
    await countRequest(ownRequest, rateLimitKeyOf(client.address, undefined));
    if (response.destroyed) return;
    response.setHeader(requestIdHeader, requestId);
    if (client.protocol === 'https')
      response.setHeader('strict-transport-security', strictTransport(hstsSubdomains));
    gatewayRoutes(request, response);
  };

  const respondWithError = async (
    error: unknown,
    { request, response, requestId, client, route }: RequestContext,
  ): Promise<void> => {
    // The client disconnected while it sent its body: there is nobody to respond to.
    if (response.destroyed) return;
    const problem = error instanceof Problem ? error : new Problem('internal-error', { cause: error });
    if (problem.status >= 500) {
      logger.warn(
        { err: problem.cause ?? problem, requestId, operation: route?.label },
        'upstream request failed',
      );
      if (route) metrics.upstreamFailures.inc({ upstream: route.service, problem: problem.code });
    }
    if (problem.status === 429) {
      const { address } = client;
      const operation = route?.label ?? 'web';
      logSecurityEvent(logger.child({ requestId }), {
        event: 'rate-limited',
        service: 'gateway',
        address,
        operation,
      });
      await delayRejection(ipPrefix64(client.address));
      if (response.destroyed) return;
    }
    // A truncated response must not look complete.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(dataSecurity(client, hstsSubdomains)))
      response.setHeader(name, value);
    response.setHeader(requestIdHeader, requestId);
    if (isNavigation(request))
      writeErrorPage(request, response, { status: problem.status, requestId, site, shades });
    else writeProblem(response, problem, requestId, route?.operation.plainTextErrors);
  };

  const record = (context: RequestContext, ms: number): void => {
    const { request, response, requestId, span, client, path, route } = context;
    const status = response.writableFinished ? response.statusCode : clientClosedRequest;
    const labels = { service: 'gateway', operation: route?.label ?? 'web', status };
    metrics.httpDuration.observe(labels, ms / 1_000);
    const traceId = span?.traceId;
    const { method } = request;
    logger.info(
      { requestId, traceId, method, path, status, ms: Math.round(ms), address: client.address },
      'request',
    );
    span?.end(callSpan({ operation: labels.operation, status, requestId }));
  };

  return (request, response) => {
    const started = performance.now();
    const received = request.headers[requestIdHeader];
    const path = pathOf(request);
    const route = routes.find(request.method ?? '', path);
    const context: RequestContext = {
      request,
      response,
      requestId: isRequestId(received) ? received : randomUUID(),
      span: route && startRequestSpan(request, route),
      client: clientAddressOf(request),
      path,
      route,
    };
    response.once('close', () => record(context, performance.now() - started));
    handle(context).catch((error: unknown) => respondWithError(error, context));
  };
}
