import { type Operation, type OperationName, operations } from '@wayquest/contracts';
import { loggedOut } from '../src/entities/auth/slice.ts';
import { resourcesInvalidated } from '../src/shared/saga/request.ts';
import {
  type Address,
  resourceAsked,
  resourceReleased,
  resourceRequested,
  selectResource,
} from '../src/shared/saga/resources.ts';
import { problem, type StubResponse, type StubResponses, startApp } from './support/app.ts';
import { fakeTimers, timeouts } from './support/fake-timers.ts';

const unread = { operation: 'countUnreadNotifications', input: {}, key: 'unread' } as const;
const townsIn = (bbox: string) =>
  ({ operation: 'listTowns', input: { query: { bbox } }, key: `towns ${bbox}` }) as const;
const town = (name: string) => ({ name, position: { lat: 0, lng: 0 }, population: 1 });

/** Starts the app; a resource's state can be read, and how often it was called. */
function start(responses: StubResponses) {
  const app = startApp({ responses });
  const entryOf = <N extends OperationName>({ operation, key }: Pick<Address<N>, 'operation' | 'key'>) =>
    selectResource(app.store.getState(), operation, key);
  const pathsCalled = () => app.calls.map(({ call }) => call);
  /** Waits until everything that was started has gone on as far as it can. */
  const settle = () => new Promise(setImmediate);
  return { ...app, entryOf, pathsCalled, settle };
}

/** A response that the test gives later, and whether the call was aborted. */
function delayed() {
  let respond: (response: StubResponse) => void = () => {};
  const response = new Promise<StubResponse>((resolve) => {
    respond = resolve;
  });
  const call = { respond, isAborted: false };
  const stub = (_: unknown, signal: AbortSignal | null | undefined) => {
    signal?.addEventListener('abort', () => {
      call.isAborted = true;
    });
    return response;
  };
  return { call, stub };
}

const path = 'GET /api/notifications/unread';

test('two components share one call and its response', async () => {
  const { store, entryOf, pathsCalled, until } = start({ [path]: { body: { unread: 1 } } });
  store.dispatch(resourceAsked(unread));
  store.dispatch(resourceAsked(unread));
  expect(entryOf(unread)?.state).toBe('loading');
  await until(() => entryOf(unread)?.state === 'ready');
  store.dispatch(resourceAsked(unread));
  expect(entryOf(unread)?.pages).toEqual([{ unread: 1 }]);
  expect(pathsCalled()).toEqual([path]);
});

test('a call that nobody waits for any more is aborted, and its response not kept', async () => {
  const { call, stub } = delayed();
  const { store, entryOf, pathsCalled, until, settle } = start({ [path]: stub });
  store.dispatch(resourceAsked(unread));
  store.dispatch(resourceAsked(unread));
  await until(() => pathsCalled().length === 1);
  store.dispatch(resourceReleased(unread));
  await settle();
  expect(call.isAborted).toBe(false);
  store.dispatch(resourceReleased(unread));
  await until(() => entryOf(unread) === undefined);
  expect(call.isAborted).toBe(true);
  call.respond({ body: { unread: 1 } });
  await settle();
  expect(entryOf(unread)).toBeUndefined();
});

test('a component that replaces another one in the same moment goes on with its call', async () => {
  const { call, stub } = delayed();
  const { store, entryOf, pathsCalled, until } = start({ [path]: stub });
  store.dispatch(resourceAsked(unread));
  store.dispatch(resourceReleased(unread));
  store.dispatch(resourceAsked(unread));
  call.respond({ body: { unread: 1 } });
  await until(() => entryOf(unread)?.state === 'ready');
  expect(pathsCalled()).toEqual([path]);
});

test('a response is kept for a short time, unless something changes', async () => {
  fakeTimers(timeouts);
  try {
    const { store, entryOf, until, settle } = start({ [path]: { body: { unread: 1 } } });
    const show = async () => {
      store.dispatch(resourceAsked(unread));
      await until(() => entryOf(unread)?.state === 'ready');
    };
    const pass = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms);
      await settle();
    };
    const hide = async () => {
      store.dispatch(resourceReleased(unread));
      await pass(0);
    };
    await show();
    await hide();
    await pass(9_000);
    expect(entryOf(unread)?.state).toBe('ready');
    await show();
    await hide();
    await pass(10_000);
    expect(entryOf(unread)).toBeUndefined();
    await show();
    await hide();
    store.dispatch(resourcesInvalidated([]));
    await settle();
    expect(entryOf(unread)).toBeUndefined();
  } finally {
    jest.useRealTimers();
  }
});

test('a change loads again what it names, and keeps it visible meanwhile', async () => {
  const counts = [1, 2];
  const { store, entryOf, pathsCalled, until, settle } = start({
    [path]: () => ({ body: { unread: counts.shift() } }),
  });
  store.dispatch(resourceAsked(unread));
  await until(() => entryOf(unread)?.state === 'ready');
  store.dispatch(resourcesInvalidated(['listTowns']));
  await settle();
  expect(pathsCalled()).toHaveLength(1);
  store.dispatch(resourcesInvalidated(['countUnreadNotifications']));
  expect(entryOf(unread)).toMatchObject({ state: 'ready', pages: [{ unread: 1 }] });
  await until(() => counts.length === 0);
  await settle();
  expect(entryOf(unread)?.pages).toEqual([{ unread: 2 }]);
});

test('what a failed call loads is loaded by another attempt; a failed reload changes nothing', async () => {
  const responses: StubResponse[] = [
    problem('service-unavailable'),
    { body: { unread: 1 } },
    problem('service-unavailable'),
    problem('challenge-not-found'),
  ];
  const { store, entryOf, until, settle } = start({ [path]: () => responses.shift() ?? {} });
  store.dispatch(resourceAsked(unread));
  await until(() => entryOf(unread)?.state === 'failed');
  expect(entryOf(unread)?.error).toMatch(/./);
  store.dispatch(resourceRequested(unread));
  expect(entryOf(unread)?.state).toBe('loading');
  await until(() => entryOf(unread)?.state === 'ready');
  store.dispatch(resourceRequested(unread));
  await until(() => responses.length === 1);
  await settle();
  expect(entryOf(unread)).toMatchObject({ state: 'ready', pages: [{ unread: 1 }] });
  store.dispatch(resourceRequested(unread));
  await until(() => entryOf(unread)?.state === 'failed');
  expect(entryOf(unread)?.pages).toEqual([]);
});

test('a list keeps its own pages, loads all of them again, and a late page belongs to none (51.8)', async () => {
  const late = delayed();
  const link = (cursor: string) => ({ link: `</api/places/towns?cursor=${cursor}>; rel="next"` });
  const { store, entryOf, pathsCalled, until, settle } = start({
    'GET /api/places/towns?bbox=0%2C0%2C1%2C1': { body: [town('heavy')], headers: link('two') },
    'GET /api/places/towns?bbox=0%2C0%2C1%2C1&cursor=two': { body: [town('light')], headers: link('three') },
    'GET /api/places/towns?bbox=0%2C0%2C1%2C1&cursor=three': late.stub,
    'GET /api/places/towns?bbox=2%2C2%2C3%2C3': { body: [town('old')] },
  });
  const [here, there] = [townsIn('0,0,1,1'), townsIn('2,2,3,3')];
  store.dispatch(resourceAsked(here));
  await until(() => entryOf(here)?.next === 'two');
  store.dispatch(resourceRequested({ ...here, after: 'two' }));
  expect(entryOf(here)?.more.state).toBe('loading');
  await until(() => entryOf(here)?.next === 'three');
  expect(entryOf(here)?.pages).toEqual([[town('heavy')], [town('light')]]);

  store.dispatch(resourceRequested({ ...here, after: 'three' }));
  store.dispatch(resourcesInvalidated(['listTowns']));
  await until(() => pathsCalled().length >= 5 && entryOf(here)?.next === 'three');
  await settle();
  expect(entryOf(here)).toMatchObject({ pages: [[town('heavy')], [town('light')]], more: { state: 'idle' } });

  store.dispatch(resourceRequested({ ...here, after: 'three' }));
  store.dispatch(resourceReleased(here));
  store.dispatch(resourceAsked(there));
  await until(() => entryOf(there)?.state === 'ready' && entryOf(here) === undefined);
  late.call.respond({ body: [town('late')] });
  await settle();
  expect(entryOf(there)?.pages).toEqual([[town('old')]]);
  expect(entryOf(here)).toBeUndefined();
});

test('the end of a session empties everything, and what arrives later is for nobody', async () => {
  const { call, stub } = delayed();
  const { store, entryOf, pathsCalled, until, settle } = start({
    [path]: { body: { unread: 1 } },
    'GET /api/places/towns?bbox=2%2C2%2C3%2C3': stub,
  });
  const there = townsIn('2,2,3,3');
  store.dispatch(resourceAsked(unread));
  store.dispatch(resourceAsked(there));
  await until(() => entryOf(unread)?.state === 'ready' && pathsCalled().length === 2);
  store.dispatch(loggedOut());
  expect(entryOf(unread)).toBeUndefined();
  expect(entryOf(there)).toBeUndefined();
  await settle();
  expect(call.isAborted).toBe(true);
  call.respond({ body: [town('secret')] });
  await settle();
  expect(entryOf(there)).toBeUndefined();
  store.dispatch(resourceAsked(unread));
  await until(() => entryOf(unread)?.state === 'ready');
  expect(pathsCalled().filter((called) => called === path)).toHaveLength(2);
});

test('what changes make outdated are operations that only read', () => {
  const named = Object.values<Operation>(operations).flatMap(({ invalidates = [] }) => invalidates);
  const reading = Object.entries(operations).flatMap(([name, { method }]) => (method === 'GET' ? name : []));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !reading.includes(name))).toEqual([]);
});
