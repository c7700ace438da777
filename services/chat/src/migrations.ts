import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { type ConversationDocument, conversationModel } from './conversation.model.ts';
import type { LastMessages } from './conversation-previews.ts';
import { messageModel } from './message.model.ts';
import { afterLast, beforeFirst } from './message-ids.ts';

const batch = 100;

interface MigrationDocument {
  _id: string;
  doneAt: Date;
}

const schema = new Schema<MigrationDocument>({
  _id: { type: String, required: true },
  doneAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
const migrationModel = (connection: Connection) =>
  connection.model<MigrationDocument>('Migration', schema, 'migrations');

const lastMessages = 'last-messages';

/**
 * Stores in each conversation of older versions its newest message, and how many messages each of the two has read: once for
 * each store.
 */
export async function migrate({
  kit: { connection, clock },
  last,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  last: LastMessages;
}): Promise<void> {
  const Conversations = conversationModel(connection);
  const Messages = messageModel(connection);
  const Migrations = migrationModel(connection);
  if (await Migrations.exists({ _id: lastMessages })) return;

  const countRead = async (messageId: number | null | undefined, sender: number, conversationId: number) =>
    messageId
      ? Messages.countDocuments({ _id: { $gt: beforeFirst(conversationId), $lte: messageId }, sender })
      : 0;

  const note = async ({
    _id,
    senderId,
    receiverId,
    senderReadId,
    receiverReadId,
  }: Omit<ConversationDocument, 'outbox'>) => {
    const newest = await Messages.findOne(
      { _id: { $gt: beforeFirst(_id), $lt: afterLast(_id) } },
      { outbox: 0 },
    )
      .sort({ _id: -1 })
      .lean();
    if (!newest) return;
    const senderReadCount = await countRead(senderReadId, receiverId, _id);
    const receiverReadCount = await countRead(receiverReadId, senderId, _id);
    // Never backwards, if somebody reads meanwhile.
    await Conversations.updateOne({ _id }, { $max: { senderReadCount, receiverReadCount } });
    await last.keep(newest);
  };

  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Omit<ConversationDocument, 'outbox'>[] = await Conversations.find(
      { _id: { $gt: after } },
      { outbox: 0 },
    )
      .sort({ _id: 1 })
      .limit(batch)
      .lean();
    for (const conversation of found) await note(conversation);
    after = found.at(-1)?._id;
  }
  await upsert(Migrations, { _id: lastMessages }, { $setOnInsert: { doneAt: new Date(clock.now()) } });
}
