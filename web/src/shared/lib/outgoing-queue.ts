import { type CachedList, createCachedList } from './cached-list.ts';
import { type KeyValueStorage, safeLocalStorage } from './storage.ts';

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
