import { registerSagas, runRegisteredSagas } from '../src/app/lazy-sagas.ts';
import { whenIdle } from '../src/shared/lib/when-idle.ts';
import type { FeatureSaga } from '../src/shared/saga/supervise.ts';

test('sagas that are loaded with a page run once in current and later stores', () => {
  const ran: string[] = [];
  const first: FeatureSaga = function* first() {};
  const second: FeatureSaga = function* second() {};
  // Those of the app's pages come, too, where another test file has loaded them.
  const follow = (store: string) =>
    runRegisteredSagas((saga) => {
      if (saga === first || saga === second) ran.push(`${store}: ${saga.name}`);
    });
  follow('there');
  registerSagas([first]);
  expect(ran).toEqual(['there: first']);
  registerSagas([first, second]);
  follow('later');
  expect(ran).toEqual(['there: first', 'there: second', 'later: first', 'later: second']);
});

test('deferred work starts when the browser is idle', async () => {
  const resting: (() => void)[] = [];
  Reflect.set(globalThis, 'requestIdleCallback', (rest: () => void) => resting.push(rest));
  let gone = false;
  const waiting = whenIdle().then(() => {
    gone = true;
  });
  await new Promise(setImmediate);
  expect(gone).toBe(false);
  for (const rest of resting) rest();
  await waiting;
  Reflect.deleteProperty(globalThis, 'requestIdleCallback');
});
