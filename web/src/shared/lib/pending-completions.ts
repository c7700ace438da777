import type { DevicePosition } from '@wayquest/contracts';
import { type KeptList, keptIn } from './cached-list.ts';
import { safeLocalStorage } from './storage.ts';

/** A challenge that a person completed offline, until the server has answered. */
export interface PendingCompletion {
  lineId: number;
  challengeId: number;
  /** Of the challenge, for what is said about it later. */
  name: string;
  /** When it was done, in milliseconds by the device's clock. */
  doneAt: number;
  /** Where the device was then, for a check-in. */
  position?: DevicePosition;
}

export type PendingCompletions = KeptList<PendingCompletion>;

const numbers = ['lineId', 'challengeId', 'doneAt'];

const isPending = (value: object): value is PendingCompletion => {
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    numbers.every((name) => typeof fields.get(name) === 'number') && typeof fields.get('name') === 'string'
  );
};

/** Completions in the browser's storage that are still to be sent. */
export const browserPendingCompletions: PendingCompletions = keptIn(
  safeLocalStorage,
  'completions',
  isPending,
);
