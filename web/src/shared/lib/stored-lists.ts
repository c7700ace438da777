import type { DevicePosition } from '@wayquest/contracts';
import { type KeyValueStorage, safeLocalStorage, storedJson } from './storage.ts';

/** A list stored in the browser for each person, if the browser allows it. */
interface CachedList<T> {
  read(userId: number): T[];
  write(userId: number, list: T[]): void;
}

/** Stores a list as JSON; invalid items are ignored when it is read. */
const createCachedList = <T>(
  storage: KeyValueStorage,
  name: string,
  isItem: (value: object) => value is T & object,
): CachedList<T> => {
  const keyOf = (userId: number) => `wayquest-${name}-${userId}`;
  return {
    read(userId) {
      const stored = storedJson(storage, keyOf(userId));
      const items: unknown[] = Array.isArray(stored) ? stored : [];
      return items.filter((value) => typeof value === 'object' && value !== null).filter(isItem);
    },
    write(userId, list) {
      if (list.length > 0) storage.setItem(keyOf(userId), JSON.stringify(list));
      else storage.removeItem(keyOf(userId));
    },
  };
};

/** An unsent message to somebody. */
export interface Draft {
  /** The conversation's id. */
  id: number;
  text: string;
}

export type DraftStore = CachedList<Draft>;

const isDraft = (value: object): value is Draft =>
  'id' in value && typeof value.id === 'number' && 'text' in value && typeof value.text === 'string';

/** Drafts in a storage of the browser. */
export const draftsIn = (storage: KeyValueStorage): DraftStore =>
  createCachedList(storage, 'drafts', isDraft);

export const browserDrafts = draftsIn(safeLocalStorage);

/** A sent message that the server has not confirmed yet. */
export interface UnsentMessage {
  conversationId: number;
  clientId: string;
  text: string;
  createdAt: string;
}

export type UnsentStore = CachedList<UnsentMessage>;

const texts = ['clientId', 'text', 'createdAt'];

const isUnsent = (value: object): value is UnsentMessage => {
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    typeof fields.get('conversationId') === 'number' &&
    texts.every((name) => typeof fields.get(name) === 'string')
  );
};

/** Unsent messages in a storage of the browser. */
export const unsentIn = (storage: KeyValueStorage): UnsentStore =>
  createCachedList(storage, 'unsent', isUnsent);

export const browserUnsent = unsentIn(safeLocalStorage);

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
