import type { ChatPreferences } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform';
import { type PreferencesDocument, preferencesModel } from './preferences.model.ts';

const present = (stored: PreferencesDocument | null): ChatPreferences => ({
  keepDrafts: stored?.keepDrafts ?? true,
  showTyping: stored?.showTyping ?? true,
  showReadMarks: stored?.showReadMarks ?? true,
});

/** What people want of chat. */
export function createPreferences({ connection }: Pick<ServiceKit, 'connection'>) {
  const Preferences = preferencesModel(connection);
  return {
    async of(userId: number): Promise<ChatPreferences> {
      return present(await Preferences.findById(userId).lean());
    },

    async update(userId: number, changes: Partial<ChatPreferences>): Promise<ChatPreferences> {
      await Preferences.updateOne({ _id: userId }, { $set: changes }, { upsert: true });
      return present(await Preferences.findById(userId).lean());
    },

    /** Those of these people who do not show how far they have read. */
    async hidingReadMarks(userIds: number[]): Promise<Set<number>> {
      const found = await Preferences.find(
        { _id: { $in: userIds }, showReadMarks: false },
        { _id: 1 },
      ).lean();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

export type Preferences = ReturnType<typeof createPreferences>;
