import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import type { SequencedMessage } from './message-ids.ts';

/** The newest message, in short. */
export interface LastMessage extends SequencedMessage {
  text: string;
  createdAt: Date;
}

export interface ConversationDocument extends WithOutbox {
  _id: number;
  /** Both people, the smaller id first: one conversation for each pair. */
  pair: string;
  senderId: number;
  receiverId: number;
  /** Updated a moment after the messages. */
  last?: LastMessage | null;
  /** The last message that each of them has read, and how many messages of the other person there are up to it. */
  senderReadId?: number | null;
  senderReadCount?: number | null;
  receiverReadId?: number | null;
  receiverReadCount?: number | null;
}

const lastMessage = new Schema<LastMessage>(
  {
    messageId: { type: Number, required: true },
    sender: { type: Number, required: true },
    senderSequence: { type: Number, required: true },
    text: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { _id: false },
);

const schema = new Schema<ConversationDocument>({
  _id: { type: Number, required: true },
  pair: { type: String, required: true },
  senderId: { type: Number, required: true },
  receiverId: { type: Number, required: true },
  last: lastMessage,
  senderReadId: Number,
  senderReadCount: Number,
  receiverReadId: Number,
  receiverReadCount: Number,
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ pair: 1 }, { unique: true });
schema.index({ senderId: 1 });
schema.index({ receiverId: 1 });

export const conversationModel = (connection: Connection) =>
  connection.model<ConversationDocument>('Conversation', schema, 'conversations');
