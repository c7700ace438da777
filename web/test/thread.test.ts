import fc from 'fast-check';
import { append, isBehind, mergeLoaded, mergeMessages, newThread } from '../src/features/messenger/thread.ts';
import { ready } from '../src/shared/lib/request-status.ts';
import { message } from './support/fixtures.ts';

const numbers = (messages: { id: number }[]) => messages.map(({ id }) => id - 500);

test('merging two lists of messages keeps each message once, ordered by id', () => {
  const idLists = fc.array(fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(idLists, idLists, (stored, loaded) => {
      const merged = numbers(
        mergeMessages(
          stored.map((n) => message(n)),
          loaded.map((n) => message(n)),
        ),
      );
      expect(merged).toEqual([...new Set([...stored, ...loaded])].sort((a, b) => a - b));
    }),
    { seed: 7 },
  );
});

test('a single message is appended only directly after the last one', () => {
  const thread = { ...newThread(5), newest: ready };
  mergeLoaded(thread, [message(1), message(2)]);
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

test('a thread that is not loaded is never behind; an empty loaded thread is behind every message', () => {
  expect(isBehind(newThread(5), 501)).toBe(false);
  expect(isBehind({ ...newThread(5), newest: ready }, 501)).toBe(true);
});
