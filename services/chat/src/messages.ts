import {
  type Message,
  messagesPerPage,
  type NewMessage,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { ServiceKit } from '@wayquest/platform/service';
import { lostTheRace } from '@wayquest/platform/store';
import { LRUCache } from 'lru-cache';
import type { StoredConversation } from './conversation.presenter.ts';
import type { Conversations } from './conversations.ts';
import { messageModel } from './message.model.ts';
import { presentMessage, type StoredMessage } from './message.presenter.ts';
import { afterLast, beforeFirst } from './message-ids.ts';
import type { People } from './people.ts';
import { otherOf, ownersOf } from './policies.ts';

type MessageQuery = OperationRequest<Operations['listMessages']>['query'];

/** The operations on messages, in the words of the domain. */
export function createMessages({
  kit: { connection, outboxes },
  conversations,
  people,
}: {
  kit: ServiceKit;
  conversations: Conversations;
  people: People;
}) {
  const Messages = messageModel(connection);
  const outbox = outboxes.of(Messages);
  /** The last id of conversations as far as known here; one that is too low only costs a second try. */
  const lastIds = new LRUCache<number, number>({ max: 10_000 });

  const readLastId = async (conversationId: number): Promise<number> => {
    const last = await Messages.findOne(
      { _id: { $gt: beforeFirst(conversationId), $lt: afterLast(conversationId) } },
      { _id: 1 },
    )
      .sort({ _id: -1 })
      .lean();
    return last?._id ?? beforeFirst(conversationId);
  };

  /** Inserts as the conversation's next; answers undefined when that place, or its clientId, was taken. */
  const insert = async (message: StoredMessage, receiverId: number): Promise<StoredMessage | undefined> => {
    const sent = [newEvent('message.sent.v1', { message: presentMessage(message), receiverId })];
    try {
      await outbox.create(message, sent);
    } catch (error) {
      if (lostTheRace(error)) return undefined;
      throw error;
    }
    lastIds.set(message.conversationId, message._id);
    return message;
  };

  return {
    /** In ascending order: the newest, those before a message, or the first after one. */
    async list(
      { _id: conversationId }: Pick<StoredConversation, '_id'>,
      { before, after, limit = messagesPerPage }: MessageQuery,
    ): Promise<Message[]> {
      const from = Math.max(after ?? 0, beforeFirst(conversationId));
      const to = Math.min(before ?? Infinity, afterLast(conversationId));
      const messages = await Messages.find({ _id: { $gt: from, $lt: to } }, { outbox: 0 })
        .sort({ _id: after === undefined ? -1 : 1 })
        .limit(limit)
        .lean();
      if (after === undefined) messages.reverse();
      return messages.map(presentMessage);
    },

    /**
     * Sends to a friend. Answers the first message when the caller used the clientId before. Throws
     * `conversation-not-found`, `forbidden` and `not-friends`.
     */
    async send(
      { text, conversationId, clientId }: Pick<NewMessage, 'text' | 'conversationId' | 'clientId'>,
      caller: Caller,
    ): Promise<{ message: Message; isNew: boolean }> {
      const conversation = await conversations.find(conversationId);
      if (!ownersOf(conversation).includes(caller.id)) throw new Problem('forbidden');
      const receiverId = otherOf(conversation, caller.id);
      await people.requireFriends(caller, receiverId);
      const named = clientId && { clientId, clientKey: `${conversationId}:${caller.id}:${clientId}` };
      for (;;) {
        const message = {
          _id: (lastIds.get(conversationId) ?? (await readLastId(conversationId))) + 1,
          conversationId,
          sender: caller.id,
          text,
          createdAt: new Date(),
          ...named,
        };
        const inserted = await insert(message, receiverId);
        if (inserted) return { message: presentMessage(inserted), isNew: true };
        lastIds.delete(conversationId);
        const first = named && (await Messages.findOne({ clientKey: named.clientKey }, { outbox: 0 }).lean());
        if (first) return { message: presentMessage(first), isNew: false };
      }
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
