import { configureStore, type Reducer } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { authSlice } from '../entities/auth/slice.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { reducer } from '../shared/saga/reducer.ts';
import { supervise } from '../shared/saga/supervise.ts';
import { runRegisteredSagas } from './lazy-sagas.ts';
import { type LoadSagas, rootSaga } from './root-saga.ts';

const lazyMemberSagas: LoadSagas = async () => (await import('./member-sagas.ts')).memberSagas;

/** Creates a store with its sagas running; those of a page start when its code is loaded. */
export function storeOf<State>(rootReducer: Reducer<State>, deps: Deps, loadMemberSagas: LoadSagas) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: rootReducer,
    middleware: (standard) => standard({ thunk: false }).concat(sagas),
  });
  sagas.run(rootSaga, deps, loadMemberSagas);
  runRegisteredSagas((saga) =>
    sagas.run(function* pageSaga() {
      yield supervise(saga, deps);
    }),
  );
  return store;
}

/** Creates the app's store; pages add their reducers and sagas when they are loaded. */
export const createStore = (deps: Deps) => storeOf(reducer.inject(authSlice), deps, lazyMemberSagas);

export type Store = ReturnType<typeof createStore>;
