import fc from 'fast-check';
import { append, isBehind, mergeMessages, newThread, takeIn } from '../src/features/messenger/thread.ts';
import { ready } from '../src/shared/lib/request-status.ts';
import { message } from './support/fixtures.ts';

const numbers = (messages: { id: number }[]) => messages.map(({ id }) => id - 500);

test('messages in any order and any number are there once, in the order of ids', () => {
  const some = fc.array(fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(some, some, (known, found) => {
      const merged = numbers(
        mergeMessages(
          known.map((n) => message(n)),
          found.map((n) => message(n)),
        ),
      );
      expect(merged).toEqual([...new Set([...known, ...found])].sort((a, b) => a - b));
    }),
    { seed: 7 },
  );
});

test('a single message is appended only directly after the last one', () => {
  const thread = { ...newThread(5), newest: ready };
  takeIn(thread, [message(1), message(2)]);
  append(thread, message(2));
  append(thread, message(1));
  append(thread, message(4));
  expect(numbers(thread.messages)).toEqual([1, 2]);
  expect(isBehind(thread, message(4).id)).toBe(true);
  append(thread, message(3));
  append(thread, message(4));
  expect(numbers(thread.messages)).toEqual([1, 2, 3, 4]);
  expect(isBehind(thread, message(4).id)).toBe(false);
});

test('a thread that is not loaded misses nothing, an empty one misses every message', () => {
  expect(isBehind(newThread(5), 501)).toBe(false);
  expect(isBehind({ ...newThread(5), newest: ready }, 501)).toBe(true);
});
