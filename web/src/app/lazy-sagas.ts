import type { FeatureSaga } from '../shared/saga/supervise.ts';

type Run = (saga: FeatureSaga) => void;

const registered = new Set<FeatureSaga>();
const runners = new Set<Run>();

/** Has every store run sagas whose code came with a page; one that runs already is not run twice. */
export function registerSagas(sagas: readonly FeatureSaga[]): void {
  for (const saga of sagas) {
    if (registered.has(saga)) continue;
    registered.add(saga);
    for (const run of runners) run(saga);
  }
}

/** Runs the sagas that came with pages, and those that will. */
export function runRegisteredSagas(run: Run): void {
  for (const saga of registered) run(saga);
  runners.add(run);
}
