import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

export interface MessageDocument extends WithOutbox {
  _id: number;
  conversationId: number;
  sender: number;
  /** Its number among the sender's messages in the conversation; missing in messages of older versions. */
  senderSequence?: number | null;
  text: string;
  createdAt: Date;
  clientId?: string | null;
  /** `<conversation>:<sender>:<clientId>`: a repeated call finds the first message. */
  clientKey?: string;
  /** Hidden after a report; the version of that decision. */
  removed?: boolean;
  decision?: number | null;
}

const schema = new Schema<MessageDocument>({
  _id: { type: Number, required: true },
  conversationId: { type: Number, required: true },
  sender: { type: Number, required: true },
  senderSequence: Number,
  text: { type: String, required: true },
  createdAt: { type: Date, required: true },
  clientId: String,
  clientKey: String,
  removed: Boolean,
  decision: Number,
});
addOutbox(schema);
schema.set('shardKey', { _id: 1 });
schema.index({ clientKey: 1 }, { unique: true, sparse: true });

export const messageModel = (connection: Connection) =>
  connection.model<MessageDocument>('Message', schema, 'messages');
