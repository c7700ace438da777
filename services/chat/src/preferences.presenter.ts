import type { ChatPreferences } from '@wayquest/contracts';
import type { PreferencesDocument } from './preferences.model.ts';

/** What somebody wants of chat; who never said so wants everything. */
export const presentPreferences = (stored: PreferencesDocument | null): ChatPreferences => ({
  keepDrafts: stored?.keepDrafts ?? true,
  showTyping: stored?.showTyping ?? true,
  showReadMarks: stored?.showReadMarks ?? true,
});
