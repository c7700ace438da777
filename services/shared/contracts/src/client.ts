import type { Operation, OperationInput, OperationResult } from './operation.ts';
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
  /** How long an answer may take. */
  timeoutMs?: number;
  /** How often a read is made again while its service is away, or nothing is answered; never if not said. */
  repeats?: number;
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

async function errorOf(response: Response): Promise<CallError> {
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.includes('json')) {
    const problem = asProblem(JSON.parse(text));
    if (problem) return new CallError(response.status, problemSentence(problem), problem);
  }
  // The page of a proxy is nothing to show to people.
  const isSentence = text !== '' && contentType.startsWith('text/plain');
  const code = isSentence ? response.headers.get(problemCodeHeader) : 'bad-gateway';
  const title = isSentence ? text : problems['bad-gateway'].title;
  const told = { type: `urn:wayquest:problem:${code}`, title, status: response.status, code };
  return new CallError(response.status, title, asProblem(told));
}

/** How many seconds a service is left alone that does not say how long. */
const pause = 1;
/** Where it wants to be left alone for longer, the person is told instead. */
const longestPause = 2;

/** After how many seconds it is asked again where nothing was answered: a phone that leaves its network has the next one by then. */
const gap = 0.3;

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** A typed call for every operation of the table. Rejects with CallError, or fetch's TypeError without an answer. */
export function createClient(options: ClientOptions): Client {
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
    const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl();
    const timeout = options.timeoutMs ? AbortSignal.timeout(options.timeoutMs) : null;
    const sent = (options.fetch ?? fetch)(baseUrl + operationUrl(operation, input), {
      method: operation.method,
      headers,
      body: file ?? (input.body === undefined ? null : JSON.stringify(input.body)),
      signal: signal ?? timeout,
    });
    const again = async (seconds: number) => {
      await wait(seconds);
      return call(operation, input, callOptions, repeats - 1);
    };
    const response = await sent.catch((error: unknown) => {
      if (!repeats || !(error instanceof TypeError)) throw error;
      return undefined;
    });
    if (!response) return again(gap);
    onHeaders?.(response.headers);
    if (!response.ok) {
      const error = await errorOf(response);
      const seconds = Number(response.headers.get('retry-after') ?? pause);
      const isAway = error.problem?.code === 'service-unavailable';
      if (!repeats || !isAway || !(seconds <= longestPause)) throw error;
      return again(seconds);
    }
    if (operation.file) return response.blob();
    return operation.answer ? operation.answer.parse(await response.json()) : undefined;
  };
  const calls = Object.entries(operations).map(([name, operation]) => [
    name,
    (input?: LooseInput, callOptions?: CallOptions) => call(operation, input, callOptions),
  ]);
  return Object.fromEntries(calls);
}
