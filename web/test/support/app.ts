import { nanoid, type UnknownAction } from '@reduxjs/toolkit';
import { type Client, createClient, type ProblemCode, problems } from '@wayquest/contracts';
import { runSaga } from 'redux-saga';
import { memberSagas } from '../../src/app/member-sagas.ts';
import { pageSagas } from '../../src/app/page-sagas.ts';
import { storeOf } from '../../src/app/store.ts';
import { authSlice } from '../../src/entities/auth/slice.ts';
import { blocksSlice } from '../../src/entities/blocks/slice.ts';
import { ownEntriesSlice } from '../../src/entities/challenge-log/slice.ts';
import { challengesSlice } from '../../src/entities/challenges/slice.ts';
import { conversationsSlice } from '../../src/entities/conversations/slice.ts';
import { friendRequestsSlice } from '../../src/entities/friends/slice.ts';
import { participationsSlice } from '../../src/entities/participations/slice.ts';
import { connected } from '../../src/entities/realtime/events.ts';
import { realtimeSlice } from '../../src/entities/realtime/slice.ts';
import { accountSlice } from '../../src/features/account/slice.ts';
import { exploreSlice } from '../../src/features/explore/slice.ts';
import { leaderboardSlice } from '../../src/features/leaderboard/slice.ts';
import { draftsSlice } from '../../src/features/messenger/drafts-slice.ts';
import { chatPreferencesSlice } from '../../src/features/messenger/preferences-slice.ts';
import { threadsSlice } from '../../src/features/messenger/threads-slice.ts';
import { profileSlice } from '../../src/features/profile/slice.ts';
import { peopleSlice, usersSlice } from '../../src/features/users/slice.ts';
import type { PositionResult } from '../../src/shared/lib/device-position.ts';
import { formDraftsIn } from '../../src/shared/lib/form-drafts.ts';
import type { SafeStorage } from '../../src/shared/lib/storage.ts';
import type { TokenStore } from '../../src/shared/lib/tokens.ts';
import {
  createUnsentItems,
  type Exclusively,
  type PendingCompletion,
  type UnsentEntry,
  type UnsentItems,
  type UnsentMessage,
} from '../../src/shared/lib/unsent-items.ts';
import type { RunSaga } from '../../src/shared/lib/use-mutation.ts';
import type { ClientEvent, OpenSocket } from '../../src/shared/saga/deps.ts';
import { registerSagas } from '../../src/shared/saga/feature-sagas.ts';
import { reducer } from '../../src/shared/saga/reducer.ts';
import { resourcesInvalidated } from '../../src/shared/saga/request.ts';
import '../../src/shared/saga/resource-saga.ts';
import { resourcesSlice } from '../../src/shared/saga/resources.ts';
import { me } from './fixtures.ts';

/** The reducer with the slices of all pages. */
const fullReducer = reducer
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
  .inject(participationsSlice)
  .inject(challengesSlice)
  .inject(ownEntriesSlice)
  .inject(resourcesSlice);
registerSagas(pageSagas);

interface Call {
  call: string;
  body: unknown;
  token: string | null;
}

export type StubResponse = {
  status?: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
};
type StubResult = StubResponse | Promise<StubResponse>;
export type StubResponses = Record<
  string,
  StubResponse | ((body: unknown, signal: AbortSignal | null | undefined) => StubResult)
>;

/** How long to wait for a state, in milliseconds. */
const timeoutMs = 20_000;

type Listener = Parameters<SafeStorage['watch']>[0];

/** A browser's storage in memory, as its tabs see it: each hears of the changes of the others. */
export function memoryBrowser(items = new Map<string, string>()) {
  const tabs = new Set<Listener>();
  const running = new Map<string, Promise<unknown>>();
  /** One after the other, as with the browser's locks. */
  const exclusively: Exclusively = async (name, run) => {
    const before = running.get(name);
    const current = (before ?? Promise.resolve()).then(run, run);
    running.set(name, current);
    return current;
  };
  /** The storage of a tab, which changes nothing once the tab is closed. */
  const openStorage = (isOpen = () => true): SafeStorage => {
    const own = new Set<Listener>();
    const notify = (key: string) => {
      for (const listener of tabs)
        if (!own.has(listener)) queueMicrotask(() => listener(key, items.get(key) ?? null));
    };
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem(key, value) {
        if (!isOpen()) return false;
        items.set(key, value);
        notify(key);
        return true;
      },
      removeItem(key) {
        if (isOpen() && items.delete(key)) notify(key);
      },
      keys: (prefix) => [...items.keys()].filter((key) => key.startsWith(prefix)),
      watch(listener) {
        own.add(listener);
        tabs.add(listener);
        return () => tabs.delete(listener);
      },
    };
  };
  return {
    items,
    openStorage,
    openUnsentItems: (isOpen?: () => boolean) => createUnsentItems(openStorage(isOpen), exclusively),
  };
}

/** Creates an empty storage in memory. */
export const memoryStorage = (): SafeStorage => memoryBrowser().openStorage();

/** Returns a problem response as services send it. */
export function problem(code: ProblemCode): StubResponse {
  const { status, title } = problems[code];
  return { status, body: { type: `urn:wayquest:problem:${code}`, title, status, code } };
}

function respond({ status = 200, body, text, headers }: StubResponse): Response {
  if (text !== undefined)
    return new Response(text, { status, headers: { 'content-type': 'text/plain', ...headers } });
  if (body === undefined) return new Response(null, { status: 204 });
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } });
}

function memoryTokens(initial: string | null) {
  let token = initial;
  let notify: ((token: string | null) => void) | undefined;
  const tokens: TokenStore = {
    read: () => token,
    write: (value) => {
      token = value;
    },
    clear: () => {
      token = null;
    },
    watch(onChange) {
      notify = onChange;
      return () => {};
    },
  };
  return {
    tokens,
    changeInAnotherTab(value: string | null) {
      token = value;
      notify?.(value);
    },
  };
}

/** Creates a socket whose server is the test. */
function testSocket() {
  const emitted: ClientEvent[] = [];
  const state = { open: 0, token: null as string | null };
  let dispatchEvent: ((event: UnknownAction) => void) | undefined;
  const openSocket: OpenSocket = (token, onEvent) => {
    state.open += 1;
    state.token = token();
    dispatchEvent = onEvent;
    queueMicrotask(() => dispatchEvent?.(connected()));
    return {
      emit: (event) => void emitted.push(event),
      close: () => {
        state.open -= 1;
        dispatchEvent = undefined;
      },
    };
  };
  return { openSocket, emitted, state, receive: (event: UnknownAction) => dispatchEvent?.(event) };
}

interface StartOptions {
  responses?: StubResponses;
  token?: string | null;
  /** What waits in the browser. Default: a store in memory. */
  unsentItems?: UnsentItems;
  /** Messages that an earlier visit could not send. */
  unsent?: UnsentMessage[];
  /** Completions made offline in an earlier visit. */
  completions?: PendingCompletion[];
  /** Notes and photos that an earlier visit could not send. */
  entries?: UnsentEntry[];
  /** Whether the sagas of logged-in users run: friends, messenger and socket. */
  social?: boolean;
  /** The position of the device. Default: not found. */
  position?: PositionResult;
}

/** Starts the store with its sagas; network, browser storage and router are stubs. */
export function startApp({
  responses = {},
  token = null,
  unsentItems = memoryBrowser().openUnsentItems(),
  unsent = [],
  completions = [],
  entries = [],
  social = false,
  position = 'not-found',
}: StartOptions = {}) {
  const calls: Call[] = [];
  const visited: string[] = [];
  const { tokens, changeInAnotherTab } = memoryTokens(token);

  const fetchStub: typeof fetch = async (input, init) => {
    const path = String(input);
    const call = `${init?.method} ${path}`;
    const headers = new Headers(init?.headers);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ call, body, token: headers.get('authorization') });
    const stub = responses[call];
    if (!stub) throw new TypeError(`no response for ${call}`);
    return respond(typeof stub === 'function' ? await stub(body, init?.signal) : stub);
  };

  const formDrafts = formDraftsIn({ session: memoryStorage(), local: memoryStorage() });
  const client = createClient({
    ...{ baseUrl: '', token: () => tokens.read(), fetch: fetchStub, makeKey: nanoid },
    onChange: (outdated) => store.dispatch(resourcesInvalidated(outdated)),
  });
  const navigator = { go: (to: string) => void visited.push(to), attach: () => {} };
  const socket = testSocket();
  for (const item of unsent) unsentItems.put(me.id, 'message', item);
  for (const item of completions) unsentItems.put(me.id, 'completion', item);
  for (const item of entries) unsentItems.put(me.id, 'entry', item);
  /** What waits in the browser for the person of the fixtures. */
  const stored = {
    get drafts() {
      return unsentItems.list(me.id, 'draft');
    },
    get unsent() {
      return unsentItems.list(me.id, 'message');
    },
    get completions() {
      return unsentItems.list(me.id, 'completion');
    },
    get entries() {
      return unsentItems.list(me.id, 'entry');
    },
  };
  const deps = {
    api: async () => client,
    socket: async () => socket.openSocket,
    tokens,
    formDrafts,
    unsentItems,
    navigator,
    devicePosition: async () => position,
    askServerTime: async () => true,
  };
  const store = storeOf(fullReducer, deps, async () => (social ? memberSagas : []));

  /** Waits until the state satisfies a predicate. */
  const until = async (predicate: (state: ReturnType<typeof store.getState>) => boolean) => {
    const end = Date.now() + timeoutMs;
    while (!predicate(store.getState())) {
      if (Date.now() > end) throw new Error(`timed out: ${predicate}`);
      await new Promise(setImmediate);
    }
  };

  return { store, calls, visited, tokens, changeInAnotherTab, until, socket, stored };
}

/** Runs sagas with a client; nothing else is available to them. */
export const runWith =
  (client: Client): RunSaga =>
  (saga) =>
    runSaga({}, saga, {
      api: async () => client,
      socket: () => Promise.reject(new Error('no socket')),
      ...{ tokens: memoryTokens(null).tokens, unsentItems: memoryBrowser().openUnsentItems() },
      formDrafts: formDraftsIn({ session: memoryStorage(), local: memoryStorage() }),
      navigator: { go: () => {}, attach: () => {} },
      devicePosition: async () => 'not-found',
      askServerTime: async () => true,
    }).toPromise();
