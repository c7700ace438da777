import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, pagesById, renameFields } from '@wayquest/platform/store';
import { type ConversationDocument, conversationModel } from './conversation.model.ts';
import type { ConversationPreviews } from './conversation-previews.ts';
import { lowerBound, messageModel, upperBound } from './message.model.ts';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Renames the number of a message among those of its sender, `nth`. The bus renames it in unpublished events. */
export const senderSequence = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-sender-sequence',
  async run() {
    await renameFields(connection, 'messages', { nth: 'senderSequence' });
    await renameFields(connection, 'conversations', { 'last.nth': 'last.senderSequence' });
  },
});

/** Renames the preference whether friends see what one has read, `showReadMarks`. */
export const readReceiptsName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-send-read-receipts',
  run: () => renameFields(connection, 'preferences', { showReadMarks: 'sendReadReceipts' }),
});

const batch = 100;

/** Stores in each conversation its newest message, and how many messages each of the two has read. */
export const lastMessages = (
  { connection }: Pick<ServiceKit, 'connection'>,
  last: ConversationPreviews,
): Migration => ({
  name: '002-last-messages',
  async run() {
    const Conversations = conversationModel(connection);
    const Messages = messageModel(connection);

    const countRead = async (messageId: number | null | undefined, sender: number, conversationId: number) =>
      messageId
        ? Messages.countDocuments({ _id: { $gt: lowerBound(conversationId), $lte: messageId }, sender })
        : 0;

    const backfillConversation = async ({
      _id,
      senderId,
      receiverId,
      senderReadId,
      receiverReadId,
    }: Omit<ConversationDocument, 'outbox'>) => {
      const newest = await Messages.findOne(
        { _id: { $gt: lowerBound(_id), $lt: upperBound(_id) } },
        { outbox: 0 },
      )
        .sort({ _id: -1 })
        .lean();
      if (!newest) return;
      const senderReadCount = await countRead(senderReadId, receiverId, _id);
      const receiverReadCount = await countRead(receiverReadId, senderId, _id);
      // Never backwards, if somebody reads meanwhile.
      await Conversations.updateOne({ _id }, { $max: { senderReadCount, receiverReadCount } });
      await last.update(newest);
    };

    const pages = pagesById<Omit<ConversationDocument, 'outbox'>>((after) =>
      Conversations.find(after, { outbox: 0 }).sort({ _id: 1 }).limit(batch).lean(),
    );
    for await (const conversations of pages)
      for (const conversation of conversations) await backfillConversation(conversation);
  },
});
