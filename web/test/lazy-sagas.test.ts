import { whenIdle } from '../src/shared/lib/lazy-loading.ts';
import { type FeatureSaga, registerSagas, runRegisteredSagas } from '../src/shared/saga/feature-sagas.ts';

test('sagas registered by pages run once in each store, also in stores created later', () => {
  const runs: string[] = [];
  const first: FeatureSaga = function* first() {};
  const second: FeatureSaga = function* second() {};
  // Sagas of the app's pages are registered too if another test file has imported them.
  const runIn = (store: string) =>
    runRegisteredSagas((saga) => {
      if (saga === first || saga === second) runs.push(`${store}: ${saga.name}`);
    });
  runIn('current');
  registerSagas([first]);
  expect(runs).toEqual(['current: first']);
  registerSagas([first, second]);
  runIn('later');
  expect(runs).toEqual(['current: first', 'current: second', 'later: first', 'later: second']);
});

test('deferred work starts when the browser is idle', async () => {
  const idleCallbacks: (() => void)[] = [];
  Reflect.set(globalThis, 'requestIdleCallback', (callback: () => void) => idleCallbacks.push(callback));
  let hasStarted = false;
  const deferred = whenIdle().then(() => {
    hasStarted = true;
  });
  await new Promise(setImmediate);
  expect(hasStarted).toBe(false);
  for (const callback of idleCallbacks) callback();
  await deferred;
  Reflect.deleteProperty(globalThis, 'requestIdleCallback');
});
