import {
  type ClientOperation,
  idempotencyKeyHeader,
  type Operation,
  type OperationInput,
  type OperationResult,
} from './operation.ts';
import { type OperationName, type Operations, operations } from './operations.ts';
import type { ProblemDetails } from './primitives.ts';
import { asProblem, problemCodeHeader, problemSentence, problems } from './problems.ts';
import { startTimeout } from './timeouts.ts';

/** A call whose response is an error. */
export class CallError extends Error {
  readonly status: number;
  readonly problem: ProblemDetails | undefined;
  constructor(status: number, message: string, problem?: ProblemDetails) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.problem = problem;
  }
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Overrides the client's token; null for none. */
  token?: string | null;
  /** Called with the response's headers. */
  onHeaders?: (headers: Headers) => void;
  /** Continues a list: where its next page begins. */
  cursor?: string;
}

export interface ClientOptions {
  /** `''` for the page's origin; a function if the URL is known only later. */
  baseUrl: string | (() => string);
  token?: () => string | null | undefined;
  headers?: () => Record<string, string>;
  /** Default: the global one. */
  fetch?: (url: string, call: RequestInit) => Promise<Response>;
  /** Timeout of a call, including its body, in milliseconds. */
  timeoutMs?: number;
  /**
   * Timeout of a call that uploads a file, and of one that downloads a file while nothing of it arrives, in milliseconds: a large
   * file on a slow line takes as long as it takes.
   */
  fileTimeoutMs?: number;
  /**
   * How often to retry a GET without a response or with a transient error (429, 500, 502, 503, 504). Default 0.
   */
  maxRetries?: number;
  /**
   * Creates the `Idempotency-Key` of each call that creates something. A call with the same content as one that got no response
   * has the same key, so that pressing a button again creates nothing twice.
   */
  makeKey?: () => string;
  /** Called after each call that changes something, with the names of the operations whose results it makes outdated. */
  onChange?: (outdated: readonly string[]) => void;
}

type NoInput = Record<string, never>;
type Call<O extends Operation> =
  object extends OperationInput<O>
    ? (input?: OperationInput<O> | NoInput, options?: CallOptions) => Promise<OperationResult<O>>
    : (input: OperationInput<O>, options?: CallOptions) => Promise<OperationResult<O>>;

export type Client = { [N in OperationName]: Call<Operations[N]> };

interface UntypedInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The URL of a call, with its parameters and query. */
export function operationUrl(
  operation: Pick<Operation, 'path'>,
  { params = {}, query = {} }: UntypedInput,
): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size ? `${path}?${search}` : path;
}

/** The body of a JSON response; undefined if it is not JSON, as from a proxy or a captive portal. */
async function jsonOf(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) return undefined;
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const problemError = (status: number, code: string | null, title: string): CallError =>
  new CallError(status, title, asProblem({ type: `urn:wayquest:problem:${code}`, title, status, code }));

/** For a response that is not from Wayquest: its text is not shown to people. */
const unexpectedResponseError = (status: number): CallError =>
  problemError(status, 'bad-gateway', problems['bad-gateway'].title);

async function errorOf({ plainTextErrors }: ClientOperation, response: Response): Promise<CallError> {
  const { status, headers } = response;
  const code = headers.get(problemCodeHeader);
  if (headers.get('content-type')?.startsWith('text/plain')) {
    if (code && Object.hasOwn(problems, code)) return problemError(status, code, await response.text());
    // The specification wants a sentence as the body of these errors; the code is in a header.
    if (plainTextErrors && status < 500) return new CallError(status, await response.text());
  }
  const problem = asProblem(await jsonOf(response));
  return problem ? new CallError(status, problemSentence(problem), problem) : unexpectedResponseError(status);
}

/** Collects the body of a file; `onProgress` is called for each piece. */
async function fileOf(response: Response, onProgress: () => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    onProgress();
    if (value) pieces.push(value);
    if (done) return new Blob(pieces, { type: response.headers.get('content-type') ?? '' });
  }
}

async function resultOf(
  { file, response: contract, status }: ClientOperation,
  response: Response,
  onProgress: () => void,
): Promise<unknown> {
  if (file) {
    if (response.headers.get('content-type')?.startsWith(file)) return fileOf(response, onProgress);
  } else if (contract) {
    const result = contract.safeParse(await jsonOf(response));
    if (result.success) return result.data;
  } else if (status.includes(response.status)) {
    return undefined;
  }
  throw unexpectedResponseError(502);
}

/** Seconds before the first retry without a Retry-After; doubled for each further one. */
const retryDelaySeconds = 1;
/** A longer Retry-After is not waited for: the caller gets the error. */
const maxRetryAfterSeconds = 2;

/** Seconds before the first retry without a response: a phone that changes networks is online again by then. */
const networkRetryDelaySeconds = 0.3;

/** Milliseconds after which nothing is retried: the caller has waited long enough by then. */
const retryWindowMs = 10_000;

const retriedStatuses = [429, 500, 502, 503, 504];

/** Whether another attempt may succeed. The places service has tried external servers itself. */
const isTransient = ({ status, problem }: CallError) =>
  retriedStatuses.includes(status) && problem?.code !== 'places-unavailable';

/** A signal that is aborted by a timeout, or with another one. `restart` starts the timeout again; call `done` at the end. */
function abortOnTimeout(ms: number | undefined, other: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(other?.reason);
  const start = () =>
    ms
      ? startTimeout(ms, () => controller.abort(new DOMException('request timed out', 'TimeoutError')))
      : undefined;
  let cancelTimeout = start();
  const restart = () => {
    cancelTimeout?.();
    cancelTimeout = start();
  };
  if (other?.aborted) abort();
  other?.addEventListener('abort', abort);
  const done = () => {
    cancelTimeout?.();
    other?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, restart, done };
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/**
 * Creates a client with a typed call for every operation.
 *
 * @throws CallError for an error response; fetch's TypeError without a response; TimeoutError after the timeout.
 */
export function createClient(options: ClientOptions): Client {
  /** Idempotency keys of calls without a response, which may have created something. */
  const pendingKeys = new Map<string, string>();

  const call = async (
    operation: ClientOperation,
    input: UntypedInput = {},
    callOptions: CallOptions = {},
    retry = { number: 0, until: Date.now() + retryWindowMs },
  ): Promise<unknown> => {
    const maxRetries = operation.method === 'GET' ? (options.maxRetries ?? 0) : 0;
    const canRetry = () => retry.number < maxRetries && Date.now() < retry.until;
    const backoff = 2 ** retry.number;
    const { signal, token, onHeaders } = callOptions;
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() };
    const authorization = token === undefined ? options.token?.() : token;
    if (authorization) headers.authorization = authorization;
    const file = input.body instanceof Blob ? input.body : undefined;
    if (input.body !== undefined) headers['content-type'] = file?.type ?? 'application/json';
    const { makeKey } = options;
    // Only calls that create something have a key.
    const content =
      operation.creates && makeKey ? `${operation.method} ${operation.path} ${JSON.stringify(input)}` : '';
    if (content && makeKey) {
      const key = pendingKeys.get(content) ?? makeKey();
      headers[idempotencyKeyHeader] = key;
      pendingKeys.set(content, key);
    }
    const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl();
    const isFile = Boolean(file ?? operation.file);
    const timeout = abortOnTimeout((isFile && options.fileTimeoutMs) || options.timeoutMs, signal);
    const retryAfter = async (seconds: number) => {
      await wait(seconds);
      return call(operation, input, callOptions, { ...retry, number: retry.number + 1 });
    };
    try {
      const response = await (options.fetch ?? fetch)(baseUrl + operationUrl(operation, input), {
        method: operation.method,
        headers,
        body: file ?? (input.body === undefined ? null : JSON.stringify(input.body)),
        signal: timeout.signal,
      }).catch((error: unknown) => {
        if (!canRetry() || !(error instanceof TypeError)) throw error;
        return undefined;
      });
      if (!response) return retryAfter(networkRetryDelaySeconds * backoff);
      onHeaders?.(response.headers);
      if (response.ok) {
        const result = await resultOf(operation, response, timeout.restart);
        pendingKeys.delete(content);
        return result;
      }
      const error = await errorOf(operation, response);
      // A proxy's answer says nothing about what the server has created.
      if (error.status < 500 && error.problem?.code !== 'bad-gateway') pendingKeys.delete(content);
      const seconds = Number(response.headers.get('retry-after') ?? retryDelaySeconds * backoff);
      if (!canRetry() || !isTransient(error) || !(seconds <= maxRetryAfterSeconds)) throw error;
      return retryAfter(seconds);
    } finally {
      timeout.done();
    }
  };
  const calls = Object.entries<ClientOperation>(operations).map(([name, operation]) => [
    name,
    async (input: UntypedInput = {}, { cursor, ...callOptions }: CallOptions = {}) => {
      const continued = cursor ? { ...input, query: { ...input.query, cursor } } : input;
      const result = await call(operation, continued, callOptions);
      if (operation.method !== 'GET') options.onChange?.(operation.invalidates ?? []);
      return result;
    },
  ]);
  return Object.fromEntries(calls);
}
