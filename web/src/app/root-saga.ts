import { call, select, take } from 'redux-saga/effects';
import { authSaga } from '../entities/auth/saga.ts';
import { selectUser } from '../entities/auth/selectors.ts';
import type { Deps } from '../shared/saga/deps.ts';
import { type FeatureSaga, supervise } from '../shared/saga/supervise.ts';

/** Loads the sagas that only members need. */
export type LoadSagas = () => Promise<FeatureSaga[]>;

/** Runs the session's saga, and those of members' features once somebody is logged in; each is supervised apart. */
export function* rootSaga(deps: Deps, loadMemberSagas: LoadSagas) {
  yield supervise(authSaga, deps);
  yield supervise(function* membersSagas() {
    while (!(yield select(selectUser))) yield take('*');
    const sagas: FeatureSaga[] = yield call(loadMemberSagas);
    for (const saga of sagas) yield supervise(saga, deps);
  }, deps);
}
