import { startPeriodicTask } from '@wayquest/platform/async';
import { currentRequestId, requestContext } from '@wayquest/platform/telemetry';
import { createTestClock, type TestClock } from '@wayquest/testing';

let clock: TestClock;
let result: 'idle' | undefined;
/** When it ran, in seconds since the start. */
let runs: number[];
const createWork = () => {
  runs = [];
  const began = clock.now();
  return async () => {
    runs.push((clock.now() - began) / 1_000);
    return result;
  };
};

const { random } = Math;
beforeEach(() => {
  clock = createTestClock();
  Math.random = () => 0.5;
});
afterEach(() => {
  Math.random = random;
});

test('idle work runs less and less often, and at its interval again after a wake-up', async () => {
  result = 'idle';
  const task = startPeriodicTask(2_000, createWork(), { idleMs: 15_000, clock });
  await clock.advance(60_000);
  expect(runs).toEqual([0, 4, 12, 27, 42, 57]);
  result = undefined;
  task.wake();
  await clock.advance(6_000);
  expect(runs.slice(6)).toEqual([62, 64, 66]);
  await task.stop();
  await clock.advance(60_000);
  expect(runs).toHaveLength(9);
});

test('work that is not idle runs at its interval', async () => {
  result = 'idle';
  const task = startPeriodicTask(2_000, createWork(), { clock });
  await clock.advance(6_000);
  expect(runs).toEqual([0, 2, 4, 6]);
  await task.stop();
});

test('work that a request wakes up does not run in the context of that request', async () => {
  const requestIds: (string | undefined)[] = [];
  const task = startPeriodicTask(
    2_000,
    async () => {
      requestIds.push(currentRequestId());
      return 'idle';
    },
    { idleMs: 15_000, clock },
  );
  await clock.advance(4_000);
  requestContext.run({ requestId: 'a-request' }, () => task.wake());
  await clock.advance(6_000);
  expect(requestIds).toEqual([undefined, undefined, undefined, undefined]);
  await task.stop();
});
