import { type CachedList, createCachedList } from './cached-list.ts';
import { type KeyValueStorage, safeLocalStorage } from './storage.ts';

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
