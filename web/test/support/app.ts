import { createClient, type ProblemCode, problems } from '@wayquest/contracts';
import { createStore } from '../../src/app/store.ts';
import type { TokenStore } from '../../src/shared/lib/tokens.ts';

interface Call {
  call: string;
  body: unknown;
  token: string | null;
}

type Answer = { status?: number; body?: unknown; text?: string };
export type Answers = Record<string, Answer | (() => Answer)>;

/** A problem as the services answer it. */
export function problem(code: ProblemCode): Answer {
  const { status, title } = problems[code];
  return { status, body: { type: `urn:wayquest:problem:${code}`, title, status, code } };
}

function respond({ status = 200, body, text }: Answer): Response {
  if (text !== undefined) return new Response(text, { status, headers: { 'content-type': 'text/plain' } });
  if (body === undefined) return new Response(null, { status: 204 });
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
}

function memoryTokens(initial: string | null) {
  let token = initial;
  let tell: ((token: string | null) => void) | undefined;
  const tokens: TokenStore = {
    read: () => token,
    write: (value) => {
      token = value;
    },
    clear: () => {
      token = null;
    },
    watch(onChange) {
      tell = onChange;
      return () => {};
    },
  };
  return {
    tokens,
    changeElsewhere(value: string | null) {
      token = value;
      tell?.(value);
    },
  };
}

/** The real store with its sagas; only the network, the browser's storage and the router are stood in for. */
export function startApp({ answers = {}, token = null }: { answers?: Answers; token?: string | null } = {}) {
  const calls: Call[] = [];
  const visited: string[] = [];
  const { tokens, changeElsewhere } = memoryTokens(token);

  const network: typeof fetch = async (input, init) => {
    const path = String(input);
    const call = `${init?.method} ${path}`;
    const headers = new Headers(init?.headers);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ call, body, token: headers.get('authorization') });
    const answer = answers[call];
    if (!answer) throw new TypeError(`Nobody answers ${call}`);
    return respond(typeof answer === 'function' ? answer() : answer);
  };

  const client = createClient({ baseUrl: '', token: () => tokens.read(), fetch: network });
  const navigator = { go: (to: string) => void visited.push(to), attach: () => {} };
  const store = createStore({ api: async () => client, tokens, navigator });

  /** Waits until the state is as it should be. */
  const until = async (holds: (state: ReturnType<typeof store.getState>) => boolean) => {
    while (!holds(store.getState())) await new Promise(setImmediate);
  };

  return { store, calls, visited, tokens, changeElsewhere, until };
}
