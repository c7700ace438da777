import type { FeatureSaga } from '../shared/saga/supervise.ts';

type Run = (saga: FeatureSaga) => void;

const come = new Set<FeatureSaga>();
const runners = new Set<Run>();

/** Has every store run sagas whose code came with a page; one that runs already is not run twice. */
export function sagasCame(sagas: readonly FeatureSaga[]): void {
  for (const saga of sagas) {
    if (come.has(saga)) continue;
    come.add(saga);
    for (const run of runners) run(saga);
  }
}

/** Runs the sagas that came with pages, and those that will. */
export function runWhatComes(run: Run): void {
  for (const saga of come) run(saga);
  runners.add(run);
}
