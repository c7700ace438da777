import {
  peopleSearched,
  selectIsUserNotFound,
  selectPeople,
  userRequested,
} from '../src/features/users/slice.ts';
import { problem, startApp } from './support/app.ts';
import { friend, person } from './support/fixtures.ts';

test('without a search text, six users are suggested', async () => {
  const { store, until } = startApp({ responses: { 'GET /api/users/?suggested=6': { body: [friend] } } });
  store.dispatch(peopleSearched('  '));
  await until((state) => state.people.list.state === 'ready');
  expect(selectPeople(store.getState())).toEqual([friend]);
});

test('typing quickly sends one request, for the last text', async () => {
  const { store, calls, until } = startApp({
    responses: { 'GET /api/users/?search=theo&limit=60': { body: [friend] } },
  });
  for (const text of ['t', 'th', 'the', 'theo ']) store.dispatch(peopleSearched(text));
  await until((state) => state.people.list.state === 'ready');
  expect(calls.map(({ call }) => call)).toEqual(['GET /api/users/?search=theo&limit=60']);
  expect(selectPeople(store.getState())).toEqual([friend]);
  expect(store.getState().people.resultsText).toBe('theo ');
});

test('a late response to an earlier text is ignored', async () => {
  let respond = (_response: { body: unknown }) => {};
  const slowResponse = new Promise<{ body: unknown }>((resolve) => {
    respond = resolve;
  });
  const { store, calls, until } = startApp({
    responses: {
      'GET /api/users/?search=m&limit=60': () => slowResponse,
      'GET /api/users/?search=theo&limit=60': { body: [friend] },
    },
  });
  store.dispatch(peopleSearched('m'));
  await until(() => calls.length === 1);
  store.dispatch(peopleSearched('theo'));
  await until((state) => state.people.list.state === 'ready');
  respond({ body: [person] });
  await slowResponse;
  await new Promise(setImmediate);
  expect(selectPeople(store.getState())).toEqual([friend]);
});

test('a failed search stores the reason and its text for a retry', async () => {
  const { store, until } = startApp();
  store.dispatch(peopleSearched('theo'));
  await until((state) => state.people.list.state === 'failed');
  expect(store.getState().people).toMatchObject({
    text: 'theo',
    list: { error: expect.stringContaining('connection') },
  });
});

test('a user who does not exist is distinguished from a failed request', async () => {
  const { store, until } = startApp({ responses: { 'GET /api/users/99999': problem('user-not-found') } });
  store.dispatch(userRequested(99_999));
  await until((state) => state.users.detail.state === 'failed');
  expect(selectIsUserNotFound(store.getState())).toBe(true);
  store.dispatch(userRequested(5));
  await until((state) => state.users.detail.state === 'failed');
  expect(selectIsUserNotFound(store.getState())).toBe(false);
});

test('an invalid user id shows that there is no such user, without a request', async () => {
  for (const id of [Number.NaN, 0, -1, 1.5]) {
    const { store, calls } = startApp();
    store.dispatch(userRequested(id));
    expect(selectIsUserNotFound(store.getState())).toBe(true);
    expect(calls).toEqual([]);
  }
});
