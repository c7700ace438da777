import { createAction } from '@reduxjs/toolkit';
import { call, delay, spawn } from 'redux-saga/effects';
import type { Deps } from './deps.ts';

export type FeatureSaga = (deps: Deps) => Generator;

/** A component runs a saga, such as a change. */
export const sagaStarted = createAction<FeatureSaga>('saga/started');

function* restarting(saga: FeatureSaga, deps: Deps) {
  for (;;) {
    try {
      yield call(saga, deps);
      return;
    } catch (error) {
      console.error(`${saga.name} failed and is restarted`, error);
      yield delay(1000);
    }
  }
}

/** Runs a feature's saga independently of the others, and restarts it after an error. */
export const supervise = (saga: FeatureSaga, deps: Deps) => spawn(restarting, saga, deps);

type Run = (saga: FeatureSaga) => void;

const registered = new Set<FeatureSaga>();
const runners = new Set<Run>();

/** Runs sagas whose code was loaded with a page in every store, each once. */
export function registerSagas(sagas: readonly FeatureSaga[]): void {
  for (const saga of sagas) {
    if (registered.has(saga)) continue;
    registered.add(saga);
    for (const run of runners) run(saga);
  }
}

/** Runs the sagas that are registered, and those that will be. */
export function runRegisteredSagas(run: Run): void {
  for (const saga of registered) run(saga);
  runners.add(run);
}
