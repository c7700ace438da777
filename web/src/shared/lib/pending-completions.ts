import type { DevicePosition } from '@wayquest/contracts';
import { type CachedList, createCachedList } from './cached-list.ts';
import { safeLocalStorage } from './storage.ts';

/** A completion made offline that the server has not accepted yet. */
export interface PendingCompletion {
  participationId: number;
  challengeId: number;
  /** The challenge's name, for notices. */
  name: string;
  /** When it was completed, in milliseconds by the device's clock. */
  doneAt: number;
  /** The device's position at that time, for a check-in. */
  position?: DevicePosition;
}

export type PendingCompletions = CachedList<PendingCompletion>;

const numbers = ['participationId', 'challengeId', 'doneAt'];

const isPending = (value: object): value is PendingCompletion => {
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    numbers.every((name) => typeof fields.get(name) === 'number') && typeof fields.get('name') === 'string'
  );
};

/** Pending completions in the browser's storage. */
export const browserPendingCompletions: PendingCompletions = createCachedList(
  safeLocalStorage,
  'completions',
  isPending,
);
