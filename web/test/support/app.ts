import type { UnknownAction } from '@reduxjs/toolkit';
import { createClient, type DevicePosition, type ProblemCode, problems } from '@wayquest/contracts';
import { registerSagas } from '../../src/app/lazy-sagas.ts';
import { memberSagas } from '../../src/app/member-sagas.ts';
import { pageSagas } from '../../src/app/page-sagas.ts';
import { storeOf } from '../../src/app/store.ts';
import { authSlice } from '../../src/entities/auth/slice.ts';
import { blocksSlice } from '../../src/entities/blocks/slice.ts';
import { challengeLinesSlice } from '../../src/entities/challenge-lines/slice.ts';
import { challengesSlice } from '../../src/entities/challenges/slice.ts';
import { conversationsSlice } from '../../src/entities/conversations/slice.ts';
import { friendRequestsSlice } from '../../src/entities/friends/slice.ts';
import { connected } from '../../src/entities/realtime/events.ts';
import { realtimeSlice } from '../../src/entities/realtime/slice.ts';
import { accountSlice } from '../../src/features/account/slice.ts';
import { exploreSlice } from '../../src/features/explore/slice.ts';
import { leaderboardSlice } from '../../src/features/leaderboard/slice.ts';
import { draftsSlice } from '../../src/features/messenger/drafts-slice.ts';
import { chatPreferencesSlice } from '../../src/features/messenger/preferences-slice.ts';
import { threadsSlice } from '../../src/features/messenger/threads-slice.ts';
import { profileSlice } from '../../src/features/profile/slice.ts';
import { peopleSlice } from '../../src/features/users/people-slice.ts';
import { usersSlice } from '../../src/features/users/slice.ts';
import type { Draft, DraftStore } from '../../src/shared/lib/drafts.ts';
import { formDraftsIn } from '../../src/shared/lib/form-drafts.ts';
import type { UnsentMessage } from '../../src/shared/lib/outgoing-queue.ts';
import type { PendingCompletion } from '../../src/shared/lib/pending-completions.ts';
import type { ClientEvent, OpenSocket } from '../../src/shared/lib/socket.ts';
import type { KeyValueStorage } from '../../src/shared/lib/storage.ts';
import type { TokenStore } from '../../src/shared/lib/tokens.ts';
import { reducer } from '../../src/shared/saga/reducer.ts';

/** As it is once every page has been open. */
const whole = reducer
  .inject(authSlice)
  .inject(accountSlice)
  .inject(exploreSlice)
  .inject(leaderboardSlice)
  .inject(draftsSlice)
  .inject(chatPreferencesSlice)
  .inject(threadsSlice)
  .inject(profileSlice)
  .inject(peopleSlice)
  .inject(usersSlice)
  .inject(friendRequestsSlice)
  .inject(blocksSlice)
  .inject(conversationsSlice)
  .inject(realtimeSlice)
  .inject(challengeLinesSlice)
  .inject(challengesSlice);
registerSagas(pageSagas);

interface Call {
  call: string;
  body: unknown;
  token: string | null;
}

export type Answer = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };
type Answering = Answer | Promise<Answer>;
export type Answers = Record<string, Answer | ((body: unknown) => Answering)>;

/** How long a state may take to come. */
const patience = 20_000;

/** A storage of nobody else's, for as long as a test needs it. */
export function memoryStorage(): KeyValueStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** A problem as the services answer it. */
export function problem(code: ProblemCode): Answer {
  const { status, title } = problems[code];
  return { status, body: { type: `urn:wayquest:problem:${code}`, title, status, code } };
}

function respond({ status = 200, body, text, headers }: Answer): Response {
  if (text !== undefined)
    return new Response(text, { status, headers: { 'content-type': 'text/plain', ...headers } });
  if (body === undefined) return new Response(null, { status: 204 });
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } });
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

/** A socket that a test is the server of. */
function testSocket() {
  const emitted: ClientEvent[] = [];
  const state = { open: 0, token: null as string | null };
  let tell: ((heard: UnknownAction) => void) | undefined;
  const openSocket: OpenSocket = (token, onHeard) => {
    state.open += 1;
    state.token = token();
    tell = onHeard;
    queueMicrotask(() => tell?.(connected()));
    return {
      emit: (event) => void emitted.push(event),
      close: () => {
        state.open -= 1;
        tell = undefined;
      },
    };
  };
  return { openSocket, emitted, state, tell: (heard: UnknownAction) => tell?.(heard) };
}

interface Start {
  answers?: Answers;
  token?: string | null;
  /** Where drafts are kept; in memory if not said. */
  drafts?: DraftStore;
  /** What an earlier visit could not send. */
  unsent?: UnsentMessage[];
  /** What was completed offline in an earlier visit. */
  completions?: PendingCompletion[];
  /** Whether friends, messenger and socket run, which a page loads once a member is here. */
  social?: boolean;
  /** Where the device says that it is; it does not if not said. */
  position?: DevicePosition;
}

/** The real store with its sagas; only the network, the browser's storage and the router are stood in for. */
export function startApp({
  answers = {},
  token = null,
  drafts,
  unsent = [],
  completions = [],
  social = false,
  position,
}: Start = {}) {
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
    return respond(typeof answer === 'function' ? await answer(body) : answer);
  };

  const formDrafts = formDraftsIn({ session: memoryStorage(), local: memoryStorage() });
  const client = createClient({ baseUrl: '', token: () => tokens.read(), fetch: network });
  const navigator = { go: (to: string) => void visited.push(to), attach: () => {} };
  const socket = testSocket();
  const kept: { drafts: Draft[]; unsent: UnsentMessage[]; completions: PendingCompletion[] } = {
    drafts: [],
    unsent,
    completions,
  };
  const deps = {
    api: async () => client,
    socket: async () => socket.openSocket,
    tokens,
    drafts: drafts ?? {
      read: () => kept.drafts,
      write: (_userId: number, current: Draft[]) => {
        kept.drafts = current;
      },
    },
    formDrafts,
    unsent: {
      read: () => kept.unsent,
      write: (_userId: number, current: UnsentMessage[]) => {
        kept.unsent = current;
      },
    },
    pendingCompletions: {
      read: () => kept.completions,
      write: (_userId: number, current: PendingCompletion[]) => {
        kept.completions = current;
      },
    },
    navigator,
    devicePosition: async () => position,
  };
  const store = storeOf(whole, deps, async () => (social ? memberSagas : []));

  /** Waits until the state is as it should be. */
  const until = async (holds: (state: ReturnType<typeof store.getState>) => boolean) => {
    const end = Date.now() + patience;
    while (!holds(store.getState())) {
      if (Date.now() > end) throw new Error(`never so: ${holds}`);
      await new Promise(setImmediate);
    }
  };

  return { store, calls, visited, tokens, changeElsewhere, until, socket, kept };
}
