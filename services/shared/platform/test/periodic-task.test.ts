import { startPeriodicTask } from '@wayquest/platform/process';
import { currentRequestId, requestContext } from '@wayquest/platform/telemetry';
import { createTestClock, type TestClock } from '@wayquest/testing';
import { vi } from 'vitest';

let clock: TestClock;
let answer: 'idle' | undefined;
/** After how many seconds it was done. */
let done: number[];
const begin = () => {
  done = [];
  const began = clock.now();
  return async () => {
    done.push((clock.now() - began) / 1_000);
    return answer;
  };
};

beforeEach(() => {
  clock = createTestClock();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('idle work runs less and less often, and as often as before after a wake-up', async () => {
  answer = 'idle';
  const repetition = startPeriodicTask(2_000, begin(), { idleMs: 15_000, clock });
  await clock.advance(60_000);
  expect(done).toEqual([0, 4, 12, 27, 42, 57]);
  answer = undefined;
  repetition.wake();
  await clock.advance(6_000);
  expect(done.slice(6)).toEqual([62, 64, 66]);
  await repetition.stop();
  await clock.advance(60_000);
  expect(done).toHaveLength(9);
});

test('work that is not idle runs at its interval', async () => {
  answer = 'idle';
  const repetition = startPeriodicTask(2_000, begin(), { clock });
  await clock.advance(6_000);
  expect(done).toEqual([0, 2, 4, 6]);
  await repetition.stop();
});

test('work that a request wakes does not run in the context of that request', async () => {
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
