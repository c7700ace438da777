import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf, Problem, writeProblem } from '@wayquest/platform/http';
import type { Clock } from '@wayquest/platform/process';
import {
  beginStep,
  callStep,
  isRequestId,
  type Logger,
  metrics,
  requestIdHeader,
  type Step,
  tellSecurity,
} from '@wayquest/platform/telemetry';
import type { CallsAtOnce } from './at-once.ts';
import type { Caller, CallerOf } from './caller.ts';
import { createClientTraces } from './client-traces.ts';
import { isNavigation, writeErrorPage } from './error-page.ts';
import { proxy } from './proxy.ts';
import type { CountCall } from './rate-limits.ts';
import { readBody } from './request-body.ts';
import { checkTarget, pathOf } from './request-target.ts';
import type { Route, RouteTable } from './route-table.ts';
import { dataSecurity, strictTransport } from './security-headers.ts';
import type { SocketDoor } from './socket-door.ts';
import { createTarpit } from './tarpit.ts';
import type { Upstreams } from './upstreams.ts';
import { visitorOf } from './visitor.ts';

export interface DoorDeps {
  logger: Logger;
  clock: Clock;
  routes: RouteTable;
  upstreams: Upstreams;
  count: CountCall;
  callsAtOnce: CallsAtOnce;
  sockets: SocketDoor;
  /** Answers what is no operation. */
  ownApp: RequestListener;
  callerOf: CallerOf;
  /** Whether browsers are to use https for every host below this one too. */
  hstsSubdomains: boolean;
}

/** One request at the door. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Where it is traced: calls are, pages and their files are not. */
  step: Step | undefined;
  caller: Caller;
  path: string;
  route: Route | undefined;
}

/** The client, or in the middle of an answer the service, hung up. */
const hungUp = 499;

/** Everything that comes in: the route table decides whether a service or the gateway's own app answers. */
export function createDoor({
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
}: DoorDeps): RequestListener {
  const slowDown = createTarpit(clock);
  const traceOf = createClientTraces();

  const begin = ({ headers }: IncomingMessage, { label }: Route): Step | undefined =>
    beginStep({ service: 'gateway', kind: 'server', name: label, parent: traceOf(headers.traceparent) });

  const answer = async ({
    request,
    response,
    requestId,
    step,
    caller,
    path,
    route,
  }: Visit): Promise<void> => {
    checkTarget(request);
    const defaultHeaders = dataSecurity(caller, hstsSubdomains);
    if (sockets.owns(path)) return sockets.poll({ request, response, requestId, caller, defaultHeaders });
    if (route) {
      const visitor = visitorOf(caller.address, request.headers.authorization);
      await count(route.operation, visitor);
      // Whoever left while being counted is not waited for.
      if (response.destroyed) return;
      const leave = await callsAtOnce.enter(route.operation, visitor);
      if (response.destroyed) return leave();
      response.once('close', leave);
      const body = await readBody(request);
      if (response.destroyed) return;
      const upstream = () => upstreams.to(route.service);
      const { patience } = upstreams;
      const traceparent = step?.traceparent;
      return proxy({
        upstream,
        patience,
        request,
        response,
        requestId,
        traceparent,
        caller,
        defaultHeaders,
        body,
      });
    }
    const allowed = routes.methodsAt(path);
    if (allowed.length > 0 && !allowed.includes(request.method ?? '')) {
      response.setHeader('allow', allowed.join(', '));
      throw new Problem('method-not-allowed');
    }
    response.setHeader(requestIdHeader, requestId);
    if (caller.protocol === 'https')
      response.setHeader('strict-transport-security', strictTransport(hstsSubdomains));
    ownApp(request, response);
  };

  const refuse = async (
    error: unknown,
    { request, response, requestId, caller, route }: Visit,
  ): Promise<void> => {
    // The client hung up in the middle of its own body: nobody is left to be told anything.
    if (response.destroyed) return;
    const problem = error instanceof Problem ? error : new Problem('internal-error', { cause: error });
    if (problem.status >= 500) {
      logger.warn(
        { err: problem.cause ?? problem, requestId, operation: route?.label },
        'a call got no answer',
      );
      if (route) metrics.upstreamFailures.inc({ upstream: route.service, problem: problem.code });
    }
    if (problem.status === 429) {
      const { address } = caller;
      const operation = route?.label ?? 'web';
      tellSecurity(logger.child({ requestId }), {
        event: 'refused-by-limit',
        service: 'gateway',
        address,
        operation,
      });
      await slowDown(networkOf(caller.address));
      if (response.destroyed) return;
    }
    // Half an answer must not look like a whole one.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(dataSecurity(caller, hstsSubdomains)))
      response.setHeader(name, value);
    response.setHeader(requestIdHeader, requestId);
    if (isNavigation(request)) writeErrorPage(request, response, { status: problem.status, requestId });
    else writeProblem(response, problem, requestId, route?.operation.plainTextErrors);
  };

  const record = (visit: Visit, ms: number): void => {
    const { request, response, requestId, step, caller, path, route } = visit;
    const status = response.writableFinished ? response.statusCode : hungUp;
    const labels = { service: 'gateway', operation: route?.label ?? 'web', status };
    metrics.httpDuration.observe(labels, ms / 1_000);
    const traceId = step?.traceId;
    const { method } = request;
    logger.info(
      { requestId, traceId, method, path, status, ms: Math.round(ms), address: caller.address },
      'request',
    );
    step?.end(callStep({ operation: labels.operation, status, requestId }));
  };

  return (request, response) => {
    const started = performance.now();
    const given = request.headers[requestIdHeader];
    const path = pathOf(request);
    const route = routes.find(request.method ?? '', path);
    const visit: Visit = {
      request,
      response,
      requestId: isRequestId(given) ? given : randomUUID(),
      step: route && begin(request, route),
      caller: callerOf(request),
      path,
      route,
    };
    response.once('close', () => record(visit, performance.now() - started));
    answer(visit).catch((error: unknown) => refuse(error, visit));
  };
}
