import {
  idempotencyKeyHeader,
  type Operation,
  type OperationInput,
  type OperationResult,
} from './operation.ts';
import { type OperationName, type Operations, operations } from './operations.ts';
import type { ProblemDetails } from './problem-details.ts';
import { asProblem, problemCodeHeader, problemSentence, problems } from './problems.ts';

/** A call that was answered with an error. */
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
  /** Instead of the client's own token; null for none. */
  token?: string | null;
  /** Told of what an answer says beside its content. */
  onHeaders?: (headers: Headers) => void;
}

export interface ClientOptions {
  /** `''` for the page's own origin; a function where the address is known only later. */
  baseUrl: string | (() => string);
  token?: () => string | null | undefined;
  headers?: () => Record<string, string>;
  fetch?: typeof fetch;
  /** How long an answer may take, with its content. */
  timeoutMs?: number;
  /** The same where a file goes either way. */
  fileTimeoutMs?: number;
  /** How often a read is made again while its service is away, or nothing is answered; never if not said. */
  repeats?: number;
  /**
   * Makes an `Idempotency-Key` for each call that creates something. A call with the same content that follows one without
   * an answer has the same key, so that whoever presses a button again makes one thing.
   */
  makeKey?: () => string;
}

type NoInput = Record<string, never>;
type Call<O extends Operation> =
  object extends OperationInput<O>
    ? (input?: OperationInput<O> | NoInput, options?: CallOptions) => Promise<OperationResult<O>>
    : (input: OperationInput<O>, options?: CallOptions) => Promise<OperationResult<O>>;

export type Client = { [N in OperationName]: Call<Operations[N]> };

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The address of a call, with its parameters and query filled in. */
export function operationUrl(operation: Operation, { params = {}, query = {} }: LooseInput): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size ? `${path}?${search}` : path;
}

/** The content of a JSON answer; undefined where it is none, as what a proxy or a hotspot puts in its place. */
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

/** For an answer that is none of ours: its text is nothing to show to people. */
const foreignError = (status: number): CallError =>
  problemError(status, 'bad-gateway', problems['bad-gateway'].title);

async function errorOf({ plainTextErrors }: Operation, response: Response): Promise<CallError> {
  const { status, headers } = response;
  const code = headers.get(problemCodeHeader);
  if (headers.get('content-type')?.startsWith('text/plain')) {
    if (code && Object.hasOwn(problems, code)) return problemError(status, code, await response.text());
    // What the specification says of these calls: what is refused is refused by a sentence, with no code beside it.
    if (plainTextErrors && status < 500) return new CallError(status, await response.text());
  }
  const problem = asProblem(await jsonOf(response));
  return problem ? new CallError(status, problemSentence(problem), problem) : foreignError(status);
}

async function resultOf({ file, answer, status }: Operation, response: Response): Promise<unknown> {
  if (file) {
    if (response.headers.get('content-type')?.startsWith(file)) return response.blob();
  } else if (answer) {
    const result = answer.safeParse(await jsonOf(response));
    if (result.success) return result.data;
  } else if (status.includes(response.status)) {
    return undefined;
  }
  throw foreignError(502);
}

/** How many seconds a service is left alone that does not say how long. */
const pause = 1;
/** Where it wants to be left alone for longer, the person is told instead. */
const longestPause = 2;

/** After how many seconds it is asked again where nothing was answered: a phone that leaves its network has the next one by then. */
const gap = 0.3;

/** A signal that is aborted after a time, or with another one. `done` has to be called at the end. */
function timeLimit(ms: number | undefined, other: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(other?.reason);
  const timer =
    ms && setTimeout(() => controller.abort(new DOMException('no answer came in time', 'TimeoutError')), ms);
  if (other?.aborted) abort();
  other?.addEventListener('abort', abort);
  const done = () => {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, done };
}

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** A typed call for every operation of the table. Rejects with CallError; without an answer with fetch's
 * TypeError, or a TimeoutError once the time is over. */
export function createClient(options: ClientOptions): Client {
  /** The keys of calls that were not answered: whether they made something, nobody knows. */
  const unanswered = new Map<string, string>();

  const call = async (
    operation: Operation,
    input: LooseInput = {},
    callOptions: CallOptions = {},
    repeats = operation.method === 'GET' ? (options.repeats ?? 0) : 0,
  ): Promise<unknown> => {
    const { signal, token, onHeaders } = callOptions;
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers?.() };
    const authorization = token === undefined ? options.token?.() : token;
    if (authorization) headers.authorization = authorization;
    const file = input.body instanceof Blob ? input.body : undefined;
    if (input.body !== undefined) headers['content-type'] = file?.type ?? 'application/json';
    const { makeKey } = options;
    // What names a call that creates something; others have no key, and are not written down for it.
    const content =
      operation.creates && makeKey ? `${operation.method} ${operation.path} ${JSON.stringify(input)}` : '';
    if (content && makeKey) {
      const key = unanswered.get(content) ?? makeKey();
      headers[idempotencyKeyHeader] = key;
      unanswered.set(content, key);
    }
    const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl();
    const isFile = Boolean(file ?? operation.file);
    const limit = timeLimit((isFile && options.fileTimeoutMs) || options.timeoutMs, signal);
    const again = async (seconds: number) => {
      await wait(seconds);
      return call(operation, input, callOptions, repeats - 1);
    };
    try {
      const response = await (options.fetch ?? fetch)(baseUrl + operationUrl(operation, input), {
        method: operation.method,
        headers,
        body: file ?? (input.body === undefined ? null : JSON.stringify(input.body)),
        signal: limit.signal,
      }).catch((error: unknown) => {
        if (!repeats || !(error instanceof TypeError)) throw error;
        return undefined;
      });
      if (!response) return again(gap);
      onHeaders?.(response.headers);
      if (response.ok) {
        const result = await resultOf(operation, response);
        unanswered.delete(content);
        return result;
      }
      const error = await errorOf(operation, response);
      if (error.status < 500) unanswered.delete(content);
      const seconds = Number(response.headers.get('retry-after') ?? pause);
      const isAway = error.problem?.code === 'service-unavailable';
      if (!repeats || !isAway || !(seconds <= longestPause)) throw error;
      return again(seconds);
    } finally {
      limit.done();
    }
  };
  const calls = Object.entries(operations).map(([name, operation]) => [
    name,
    (input?: LooseInput, callOptions?: CallOptions) => call(operation, input, callOptions),
  ]);
  return Object.fromEntries(calls);
}
