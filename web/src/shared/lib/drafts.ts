/** What a person began to write to somebody and has not sent. */
export interface Draft {
  /** The conversation's. */
  id: number;
  text: string;
}

/** Where drafts are kept between visits, for each person apart, as far as they can be. */
export interface DraftStore {
  read(userId: number): Draft[];
  write(userId: number, drafts: Draft[]): void;
}

const keyOf = (userId: number) => `wayquest-drafts-${userId}`;

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'text' in value &&
  typeof value.text === 'string';

/** Drafts in a storage of the browser's, which may be full or forbidden. What cannot be read is no draft. */
export const draftsIn = (storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): DraftStore => ({
  read(userId) {
    try {
      const kept: unknown = JSON.parse(storage().getItem(keyOf(userId)) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isDraft) : [];
    } catch {
      return [];
    }
  },
  write(userId, drafts) {
    try {
      if (drafts.length > 0) storage().setItem(keyOf(userId), JSON.stringify(drafts));
      else storage().removeItem(keyOf(userId));
    } catch (error) {
      console.warn('What is being written is not kept over this visit', error);
    }
  },
});

export const browserDrafts = draftsIn(() => localStorage);
