import { configureStore, isPlain, type Reducer } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { call, select, take } from 'redux-saga/effects';
import { authSaga } from '../entities/auth/saga.ts';
import { authSlice, selectUser } from '../entities/auth/slice.ts';
import { loadPart } from '../shared/lib/load-part.ts';
import type { Deps } from '../shared/saga/deps.ts';
import {
  type FeatureSaga,
  runRegisteredSagas,
  sagaStarted,
  supervise,
} from '../shared/saga/feature-sagas.ts';
import { reducer } from '../shared/saga/reducer.ts';

/** Loads the sagas that only members need. */
type LoadSagas = () => Promise<FeatureSaga[]>;

/** Runs the session's saga, and those of members' features once somebody is logged in; each is supervised apart. */
function* rootSaga(deps: Deps, loadMemberSagas: LoadSagas) {
  yield supervise(authSaga, deps);
  yield supervise(function* membersSagas() {
    while (!(yield select(selectUser))) yield take('*');
    const sagas: FeatureSaga[] = yield call(loadMemberSagas);
    for (const saga of sagas) yield supervise(saga, deps);
  }, deps);
}

const lazyMemberSagas: LoadSagas = async () =>
  (await loadPart(() => import('./member-sagas.ts'), true)).memberSagas;

const serializableCheck = {
  // A busy machine takes long for little.
  warnAfter: 1_000,
  // Its payload is the saga that a component starts.
  ignoredActions: [sagaStarted.type],
  // A photo is kept as it was received, like other responses; it never changes.
  isSerializable: (value: unknown) => isPlain(value) || value instanceof Blob,
};

/** Creates a store with its sagas running; those of a page start when its code is loaded. */
export function storeOf<State>(rootReducer: Reducer<State>, deps: Deps, loadMemberSagas: LoadSagas) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: rootReducer,
    // In development and tests, RTK reports changed state and values that are not serializable.
    middleware: (standard) => standard({ thunk: false, serializableCheck }).concat(sagas),
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
