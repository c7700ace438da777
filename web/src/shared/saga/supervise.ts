import { call, delay, spawn } from 'redux-saga/effects';
import type { Deps } from './deps.ts';

export type FeatureSaga = (deps: Deps) => Generator;

function* restarting(saga: FeatureSaga, deps: Deps) {
  for (;;) {
    try {
      yield call(saga, deps);
      return;
    } catch (error) {
      console.error(`${saga.name} failed and starts again`, error);
      yield delay(1000);
    }
  }
}

/** Runs a feature's saga independently of the others, and restarts it after an error. */
export const supervise = (saga: FeatureSaga, deps: Deps) => spawn(restarting, saga, deps);
