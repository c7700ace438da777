import type { ChatPreferences } from '@wayquest/contracts';
import type { PreferencesDocument } from './preferences.model.ts';

/** Somebody's chat preferences; everything is on by default. */
export const presentPreferences = (stored: PreferencesDocument | null): ChatPreferences => ({
  keepDrafts: stored?.keepDrafts ?? true,
  showTyping: stored?.showTyping ?? true,
  showReadMarks: stored?.showReadMarks ?? true,
});
