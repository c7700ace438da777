import type { FeatureSaga } from '../shared/saga/supervise.ts';

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
