import type { ChatPreferences } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';

/** Changed preferences only; the default is on. */
export interface PreferencesDocument extends Partial<ChatPreferences> {
  /** The person's id. */
  _id: number;
}

const schema = new Schema<PreferencesDocument>({
  _id: { type: Number, required: true },
  keepDrafts: Boolean,
  showTyping: Boolean,
  showReadMarks: Boolean,
});
schema.set('shardKey', { _id: 'hashed' });

export const preferencesModel = (connection: Connection) =>
  connection.model<PreferencesDocument>('Preferences', schema, 'preferences');
