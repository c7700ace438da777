import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type Access,
  type Operation,
  type OperationRequest,
  type OperationResponse,
  type OwnerAccess,
  type ProblemDetails,
  problemCodeHeader,
  problemSentence,
} from '@wayquest/contracts';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { z } from 'zod';
import { limits } from '../core/limits.ts';
import { Problem, problemOf } from '../core/problem.ts';
import { toContract } from '../core/to-contract.ts';
import { createRateLimiter } from '../redis/rate-limiter.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import {
  createStoreWait,
  endStoreWait,
  isRequestId,
  requestContext,
  requestIdHeader,
} from '../telemetry/request-context.ts';
import { logSecurityEvent } from '../telemetry/security-events.ts';
import { callSpan, startSpan, traceparentHeader } from '../telemetry/tracing.ts';
import { type Caller, type TokenGuard, tokenOf } from '../tokens/token-guard.ts';
import { type Idempotency, idempotencyOf } from './headers.ts';

type CallerOf<A extends Access> = A extends 'public' ? Caller | undefined : Caller;

export type HandlerRequest<O extends Operation> = OperationRequest<O> & {
  caller: CallerOf<O['access']>;
  address: string;
  /** For an operation that `creates`, if the call has an idempotency key. */
  idempotency: Idempotency | undefined;
};

/** A response with another status than the operation's, or with headers. */
export class ResponseWithHeaders<B> {
  readonly body: B;
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  constructor(body: B, { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

type Result<O extends Operation> = Promise<OperationResponse<O> | ResponseWithHeaders<OperationResponse<O>>>;

/** The request and the response, for what contracts do not contain, such as cookies. */
export interface Exchange {
  request: Request;
  response: Response;
}

export type Handler<O extends Operation> = (request: HandlerRequest<O>, exchange: Exchange) => Result<O>;

/** An operation on a resource with owners. */
type OwnedOperation = Operation & { access: OwnerAccess };
type OtherOperation = Operation & { access: Exclude<Access, OwnerAccess> };

/** How a resource with owners is served: only its owners reach `handle`. */
export interface OwnedHandler<O extends OwnedOperation, T> {
  /** Finds the resource that the path names. Throws if it does not exist. */
  find(request: Pick<HandlerRequest<O>, 'params'>): Promise<T>;
  /** The ids of its owners. */
  owners(found: NoInfer<T>): readonly number[];
  handle(request: HandlerRequest<O>, found: NoInfer<T>, exchange: Exchange): Result<O>;
}

export interface HttpApp {
  express: Express;
  /** Serves an operation: validated, authorized, and reduced to its contract. */
  serve<O extends OtherOperation>(operation: O, handler: Handler<O>): void;
  /** Serves an operation on a resource with owners; others are rejected as the contract says. */
  serveOwned<O extends OwnedOperation, T>(operation: O, handler: OwnedHandler<O, T>): void;
  /** Serves a navigation (a redirect, a file): validated and authorized; the handler writes the response. */
  serveNavigation<O extends OtherOperation & ({ navigation: true } | { file: string })>(
    operation: O,
    handler: (request: HandlerRequest<O>, exchange: Exchange) => Promise<void>,
  ): void;
  /** Finishes the routes: unmatched requests are 404, and errors become problems. */
  finish(): void;
}

const bodyLimit = 1024 * 1024;

/** The client closed the connection before the response. */
const clientClosedRequest = 499;

/** RFC 9457, section 3. */
const problemType = 'application/problem+json; charset=utf-8';

const fieldErrors = (part: string, error: z.ZodError) =>
  error.issues.map(({ path, message }) => ({
    field: path.join('.') || part,
    reason: message.replace(/^Invalid input: /, 'is wrong: '),
  }));

/** Returns the validated input of a call. Throws `invalid-request`, which names each wrong field and why. */
export function validate<O extends Operation>(operation: O, request: Request): OperationRequest<O> {
  const errors: NonNullable<ProblemDetails['errors']> = [];
  const parse = (part: 'params' | 'query' | 'body') => {
    const result = operation[part]?.safeParse(request[part]);
    if (result && !result.success) errors.push(...fieldErrors(part, result.error));
    return result?.data;
  };
  const valid = { params: parse('params'), query: parse('query'), body: parse('body') };
  if (errors.length) throw new Problem('invalid-request', { errors });
  return valid as OperationRequest<O>;
}

/** Errors of body-parser and the router have a status; those are errors of the client. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new Problem('too-large', { cause: error });
  if (typeof status === 'number' && status < 500) {
    return new Problem('invalid-request', {
      cause: error,
      errors: [{ field: 'body', reason: 'must be JSON' }],
    });
  }
  return problemOf(error);
}

/**
 * Writes a problem as the response: problem+json, or a sentence with the code in a header where a form shows the text.
 */
export function writeProblem(
  response: ServerResponse,
  problem: Problem,
  requestId: string | undefined,
  plainText = false,
): void {
  const details = problem.toDetails(requestId);
  const { retryAfterSeconds } = problem.options;
  response.statusCode = problem.status;
  response.setHeader('cache-control', 'no-store');
  if (retryAfterSeconds) response.setHeader('retry-after', retryAfterSeconds);
  if (problem.status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (plainText) response.setHeader(problemCodeHeader, details.code);
  response.setHeader('content-type', plainText ? 'text/plain; charset=utf-8' : problemType);
  response.end(plainText ? problemSentence(details) : JSON.stringify(details));
}

/** The HTTP layer of a service: request ids, limits, validation, authorization, errors and metrics. */
export function createHttpApp({
  service,
  logger,
  guard,
  callsPerAccount = Number.MAX_SAFE_INTEGER,
  ready,
}: {
  service: string;
  logger: Logger;
  guard: TokenGuard;
  /** Maximum calls of an account per minute, with all of its tokens; an expensive call counts several times. */
  callsPerAccount?: number | undefined;
  /** Whether it can serve calls. */
  ready(): Promise<boolean>;
}): HttpApp {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // The gateway is the only proxy in front of every service.
  app.set('trust proxy', 1);
  // For the gateway's `/healthz`. First, since a line in the log every two seconds would hide the others.
  app.get('/readyz', async (_request, response) => {
    response.sendStatus((await ready()) ? 200 : 503);
  });
  app.use((request, response, next) => {
    const received = request.headers[requestIdHeader];
    const requestId = isRequestId(received) ? received : randomUUID();
    response.set(requestIdHeader, requestId);
    const languages = request.get('accept-language');
    const parent = request.get(traceparentHeader);
    const span = startSpan({ service, kind: 'server', name: request.method, parent });
    const context = { requestId, address: request.ip, languages, span, storeWait: createStoreWait() };
    const started = performance.now();
    response.once('close', () => {
      endStoreWait(context);
      const ms = performance.now() - started;
      const status = response.writableFinished ? response.statusCode : clientClosedRequest;
      const servedOperation: string | undefined = response.locals.operation;
      const operation = servedOperation ?? request.method;
      if (servedOperation) metrics.httpDuration.observe({ service, operation, status }, ms / 1000);
      requestContext.run(context, () => logger.info({ operation, status, ms: Math.round(ms) }, 'call'));
      span?.end(callSpan({ operation, status, requestId }));
    });
    requestContext.run(context, next);
  });

  const perAccount = createRateLimiter({ ...limits.requestsPerAccount, max: callsPerAccount });

  const parseBody = express.json({ limit: bodyLimit, strict: false });

  const authorize = async (operation: Operation, request: Request): Promise<Caller | undefined> => {
    const token = tokenOf(request.headers.authorization);
    const verify = operation.internal ? guard.verifyJob : guard.verify;
    const caller = token === undefined ? undefined : await verify(token);
    if (operation.access !== 'public' && !caller) throw new Problem('unauthenticated');
    if (operation.access === 'admin' && !caller?.admin) throw new Problem('admins-only');
    return caller;
  };

  const route = (
    operation: Operation,
    respond: (valid: HandlerRequest<Operation>, request: Request, response: Response) => Promise<void>,
  ) => {
    const { method, upload } = operation;
    const label = `${method} ${operation.path}`;
    // The caller is authorized before the body is read.
    const admit: RequestHandler = async (request, response, next) => {
      response.locals.operation = label;
      if (operation.internal) endStoreWait();
      const caller = await authorize(operation, request);
      response.locals.caller = caller;
      if (caller) await perAccount.count(String(caller.id), { weight: operation.weight });
      if (upload && !request.is([...upload])) throw new Problem('unsupported-image');
      next();
    };
    const handle: RequestHandler = async (request, response) => {
      const { caller } = response.locals;
      const parts = validate(operation, request);
      const idempotency = idempotencyOf(request, { operation, callerId: caller?.id ?? 0, content: parts });
      const valid = { ...parts, caller, address: request.ip ?? '', idempotency };
      await respond(valid as HandlerRequest<Operation>, request, response);
    };
    const onError: ErrorRequestHandler = (error, _request, response, next) => {
      if (operation.plainTextErrors) response.locals.plainText = true;
      next(error);
    };
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const parse = upload ? express.raw({ type: [...upload], limit: bodyLimit }) : parseBody;
    const steps = operation.body ? [admit, parse, handle] : [admit, handle];
    app[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](path, ...steps, onError);
  };

  const requestLine = ({ method, path }: Request) => `${method} ${path}`;

  /** Logs an admin's action on others' content. */
  const logAdminAction = (request: Request, { id }: Caller) =>
    logSecurityEvent(logger, { event: 'admin-action', service, userId: id, operation: requestLine(request) });

  const serve = <O extends Operation>(operation: O, handler: Handler<O>): void =>
    route(operation, async (valid, request, response) => {
      const result = await handler(valid as HandlerRequest<O>, { request, response });
      if (operation.access === 'admin' && operation.method !== 'GET' && valid.caller)
        logAdminAction(request, valid.caller);
      const { body, status, headers } =
        result instanceof ResponseWithHeaders ? result : new ResponseWithHeaders(result);
      const serialized = operation.response && toContract(operation.response, body);
      response.status(status ?? operation.status[0]).set({ 'cache-control': 'no-store', ...headers });
      if (serialized === undefined) response.end();
      else response.json(serialized);
    });

  return {
    express: app,
    serve,
    serveOwned(operation, { find, owners, handle }) {
      serve(operation, async (request, exchange) => {
        const { id, admin } = request.caller;
        const found = await find(request);
        const isOwner = owners(found).includes(id);
        const mayCall = isOwner || (operation.access === 'owner-or-admin' && admin);
        if (!mayCall) throw new Problem('forbidden');
        const result = await handle(request, found, exchange);
        if (!isOwner) logAdminAction(exchange.request, request.caller);
        return result;
      });
    },
    serveNavigation(operation, handler) {
      route(operation, (valid, request, response) =>
        handler(valid as HandlerRequest<typeof operation>, { request, response }),
      );
    },
    finish() {
      app.use(() => {
        throw new Problem('not-found');
      });
      const onError: ErrorRequestHandler = (error, request, response, _next) => {
        const problem = asProblem(error);
        if (problem.status >= 500)
          logger.error({ err: error, method: request.method, path: request.path }, 'a call failed');
        if (problem.status === 429) {
          const userId: number | undefined = response.locals.caller?.id;
          logSecurityEvent(logger, {
            event: 'rate-limited',
            service,
            userId,
            operation: requestLine(request),
          });
        }
        if (response.headersSent) response.destroy();
        else
          writeProblem(
            response,
            problem,
            requestContext.getStore()?.requestId,
            response.locals.plainText === true,
          );
      };
      app.use(onError);
    },
  };
}
