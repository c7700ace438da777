import { addOutbox, type WithOutbox } from '@wayquest/platform/bus';
import { type Connection, Schema } from 'mongoose';

export interface ConversationDocument extends WithOutbox {
  _id: number;
  /** Both people, the smaller id first: one conversation of each pair. */
  pair: string;
  senderId: number;
  receiverId: number;
  /** The last message that each of them has read. */
  senderReadId?: number | null;
  receiverReadId?: number | null;
}

const schema = new Schema<ConversationDocument>({
  _id: { type: Number, required: true },
  pair: { type: String, required: true },
  senderId: { type: Number, required: true },
  receiverId: { type: Number, required: true },
  senderReadId: Number,
  receiverReadId: Number,
});
addOutbox(schema);
schema.index({ pair: 1 }, { unique: true });
schema.index({ senderId: 1 });
schema.index({ receiverId: 1 });

export const conversationModel = (connection: Connection) =>
  connection.model<ConversationDocument>('Conversation', schema, 'conversations');
