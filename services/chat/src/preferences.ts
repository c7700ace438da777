import type { ChatPreferences } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** Changed preferences only; the default is on. */
interface PreferencesDocument extends Partial<ChatPreferences> {
  /** The person's id. */
  _id: number;
}

const schema = new Schema<PreferencesDocument>({
  _id: { type: Number, required: true },
  keepDrafts: Boolean,
  showTyping: Boolean,
  sendReadReceipts: Boolean,
});
schema.set('shardKey', { _id: 'hashed' });

export const preferencesModel = (connection: Connection) =>
  connection.model<PreferencesDocument>('Preferences', schema, 'preferences');

/** Somebody's chat preferences; everything is on by default. */
const presentPreferences = (stored: PreferencesDocument | null): ChatPreferences => ({
  keepDrafts: stored?.keepDrafts ?? true,
  showTyping: stored?.showTyping ?? true,
  sendReadReceipts: stored?.sendReadReceipts ?? true,
});

/** The operations on chat preferences. */
export interface Preferences {
  of(userId: number): Promise<ChatPreferences>;
  update(userId: number, changes: Partial<ChatPreferences>): Promise<ChatPreferences>;
  erase(userId: number): Promise<void>;
  /** Those of these people who do not send read receipts. */
  withoutReadReceipts(userIds: number[]): Promise<Set<number>>;
}

/** Creates the store of people's preferences for chat. */
export function createPreferences({ connection }: Pick<ServiceKit, 'connection'>): Preferences {
  const Preferences = preferencesModel(connection);
  return {
    async of(userId: number): Promise<ChatPreferences> {
      return presentPreferences(await Preferences.findById(userId).lean());
    },

    async update(userId: number, changes: Partial<ChatPreferences>): Promise<ChatPreferences> {
      await upsert(Preferences, { _id: userId }, { $set: changes });
      return presentPreferences(await Preferences.findById(userId).lean());
    },

    async erase(userId: number): Promise<void> {
      await Preferences.deleteOne({ _id: userId });
    },

    async withoutReadReceipts(userIds: number[]): Promise<Set<number>> {
      const found = await Preferences.find(
        { _id: { $in: userIds }, sendReadReceipts: false },
        { _id: 1 },
      ).lean();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
