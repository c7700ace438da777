import { configureStore, type Reducer } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { authSlice } from '../entities/auth/slice.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { reducer } from '../shared/saga/reducer.ts';
import { supervise } from '../shared/saga/supervise.ts';
import { runRegisteredSagas } from './lazy-sagas.ts';
import { type LoadSagas, rootSaga } from './root-saga.ts';

const lazyMemberSagas: LoadSagas = async () => (await import('./member-sagas.ts')).memberSagas;

/** A store of a reducer, with its sagas running; those of a page begin when its code is here. */
export function storeOf<State>(held: Reducer<State>, deps: Deps, loadMemberSagas: LoadSagas) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: held,
    middleware: (standard) => standard({ thunk: false }).concat(sagas),
  });
  sagas.run(rootSaga, deps, loadMemberSagas);
  runRegisteredSagas((saga) =>
    sagas.run(function* ofPage() {
      yield supervise(saga, deps);
    }),
  );
  return store;
}

/** The app's store: what everybody needs, and what comes with the pages that are opened. */
export const createStore = (deps: Deps) => storeOf(reducer.inject(authSlice), deps, lazyMemberSagas);

export type Store = ReturnType<typeof createStore>;
