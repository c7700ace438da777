import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { takeEvery } from 'redux-saga/effects';
import { browserUnsentItems } from '../src/shared/lib/unsent-items.ts';
import type { Deps } from '../src/shared/saga/deps.ts';
import { supervise } from '../src/shared/saga/feature-sagas.ts';
import { dateAndTimers, fakeTimers } from './support/fake-timers.ts';

const deps: Deps = {
  api: () => Promise.reject(new Error('not used')),
  socket: () => Promise.reject(new Error('not used')),
  tokens: { read: () => null, write: () => {}, clear: () => {}, watch: () => () => {} },
  formDrafts: { read: () => undefined, write: () => {}, keepOnly: () => {}, clear: () => {} },
  unsentItems: browserUnsentItems,
  navigator: { go: () => {}, attach: () => {} },
  devicePosition: async () => 'not-found',
  askServerTime: async () => true,
};

test('a failed saga does not affect others, and is restarted', async () => {
  const events: string[] = [];
  function* failing() {
    events.push('start');
    yield takeEvery('break', () => {
      throw new Error('broken');
    });
  }
  function* working() {
    yield takeEvery('*', ({ type }: { type: string }) => {
      events.push(type);
    });
  }
  fakeTimers(dateAndTimers);
  const consoleError = console.error;
  console.error = () => {};
  const sagas = createSagaMiddleware();
  const store = configureStore({ reducer: () => 0, middleware: (standard) => standard().concat(sagas) });
  sagas.run(function* root() {
    yield supervise(failing, deps);
    yield supervise(working, deps);
  });

  store.dispatch({ type: 'break' });
  store.dispatch({ type: 'still here' });
  expect(events).toEqual(['start', 'break', 'still here']);

  await jest.advanceTimersByTimeAsync(1_000);
  console.error = consoleError;
  jest.useRealTimers();
  expect(events.filter((event) => event === 'start')).toHaveLength(2);
});
