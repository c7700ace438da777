import { type Event, maxPreviewLength, maxUnread, truncateText } from '@wayquest/contracts';
import { createBatcher } from '@wayquest/platform/async';
import type { ServiceKit } from '@wayquest/platform/service';
import { conversationModel, type LastMessage, readFields } from './conversation.model.ts';
import { lowerBound, type MessageDocument, messageModel, type SequencedMessage } from './message.model.ts';

type MessageKey = Pick<MessageDocument, '_id' | 'conversationId' | 'sender' | 'senderSequence'>;

/** The newest message of each conversation, updated when the messages' outboxes publish. */
export interface ConversationPreviews {
  /** A message with its number among its sender's, counted if an older version did not store it. */
  withSequence(counted: MessageKey): Promise<SequencedMessage>;
  /** Stores a conversation's newest message; an older one, or a duplicate, changes nothing. */
  update(message: MessageKey & Pick<MessageDocument, 'text' | 'createdAt'>): Promise<void>;
  /** From the outbox. */
  applySent(event: Event<'message.sent.v1'>): Promise<void>;
  /** From the outbox, after the message was sent. */
  applyDeleted(event: Event<'message.deleted.v1'>): Promise<void>;
}

/** Creates the last message of each conversation, for lists of conversations. */
export function createConversationPreviews({
  connection,
}: Pick<ServiceKit, 'connection'>): ConversationPreviews {
  const Conversations = conversationModel(connection);
  const Messages = messageModel(connection);

  const withSequence = async ({
    _id,
    conversationId,
    sender,
    senderSequence,
  }: MessageKey): Promise<SequencedMessage> => ({
    messageId: _id,
    sender,
    senderSequence:
      senderSequence ??
      (await Messages.countDocuments({ _id: { $gt: lowerBound(conversationId), $lte: _id }, sender })),
  });

  const updateBatch = createBatcher<{ conversationId: number; last: LastMessage }, void>(async (batch) => {
    // The newest of each conversation, which comes last.
    const newest = new Map(
      batch
        .map(({ item }) => item)
        .sort((one, other) => one.last.messageId - other.last.messageId)
        .map(({ conversationId, last }) => [conversationId, last]),
    );
    await Conversations.bulkWrite(
      [...newest].map(([conversationId, last]) => ({
        updateOne: {
          filter: {
            _id: conversationId,
            $or: [{ last: null }, { 'last.messageId': { $lt: last.messageId } }],
          },
          update: { $set: { last } },
        },
      })),
      { ordered: false },
    );
    for (const { resolve } of batch) resolve();
  });

  return {
    withSequence,

    async update(message: MessageKey & Pick<MessageDocument, 'text' | 'createdAt'>): Promise<void> {
      const { text, createdAt, conversationId } = message;
      const last = {
        ...(await withSequence(message)),
        text: truncateText(text, maxPreviewLength),
        createdAt,
      };
      await updateBatch({ conversationId, last });
    },

    async applySent({ data: { message, senderSequence } }: Event<'message.sent.v1'>): Promise<void> {
      const { id: _id, conversationId, sender, text, createdAt } = message;
      await this.update({
        _id,
        conversationId,
        sender,
        text,
        createdAt: new Date(createdAt),
        senderSequence: senderSequence ?? null,
      });
    },

    async applyDeleted({
      data: { conversationId: _id, messageId, receiverId },
    }: Event<'message.deleted.v1'>): Promise<void> {
      await Conversations.updateOne(
        { _id, 'last.messageId': messageId },
        { $set: { 'last.text': '', 'last.deleted': true } },
      );
      const pair = await Conversations.findById(_id, { senderId: 1 }).lean();
      if (!pair) return;
      const { id: readId, deleted } = readFields(pair, receiverId);
      await Conversations.updateOne(
        {
          ...{ _id, [`${deleted}.${maxUnread - 1}`]: { $exists: false } },
          $or: [{ [readId]: null }, { [readId]: { $lt: messageId } }],
        },
        { $addToSet: { [deleted]: { messageId } } },
      );
    },
  };
}
