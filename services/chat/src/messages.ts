import {
  type Event,
  type Message,
  maxPreviewLength,
  messagesPerPage,
  type NewMessage,
  type OperationRequest,
  type Operations,
  truncateText,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { OwnDataKind, ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import { conversationModel, otherOf, ownersOf } from './conversation.model.ts';
import type { ConversationPreviews } from './conversation-previews.ts';
import { type Conversations, type Pair, participantFilter } from './conversations.ts';
import type { FriendAccess } from './friend-access.ts';
import {
  isTooOldToDelete,
  lowerBound,
  messageModel,
  presentMessage,
  presentMessageTo,
  upperBound,
} from './message.model.ts';
import { createMessageAppender } from './message-appender.ts';

type MessageQuery = OperationRequest<Operations['listMessages']>['query'];

/** The operations on messages. */
export interface Messages {
  /**
   * In ascending order: the newest, those before a message, or the first after one. Throws `conversation-not-found`, also
   * if one of the two has blocked the other.
   */
  list(pair: Pair, query: MessageQuery, caller: Caller): Promise<Message[]>;
  /** Applies a moderation decision; an older one that arrives late changes nothing. */
  applyDecision(event: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void>;
  /**
   * Sends to a friend. Returns the first message if the caller used the clientId before. Throws
   * `conversation-not-found`, `forbidden`, `not-friends`, `awaiting-reply` and `too-many-requests`.
   */
  send(
    options: Pick<NewMessage, 'text' | 'conversationId' | 'clientId'>,
    caller: Caller,
  ): Promise<{ message: Message; isNew: boolean }>;
  /**
   * Deletes the text of one of the caller's messages for both, which can be repeated. Throws `conversation-not-found`,
   * `message-not-found`, `forbidden` for a message of the other person, and `message-too-old`.
   */
  delete(pair: Pair, id: number, caller: Caller): Promise<void>;
}

/** Creates the store of messages; sending one publishes it. */
export function createMessages({
  kit,
  conversations,
  people,
  last,
  limiter,
  maxUnanswered,
}: {
  kit: ServiceKit;
  conversations: Conversations;
  people: FriendAccess;
  last: ConversationPreviews;
  limiter: RateLimiter;
  /** Maximum number of messages to somebody who has never replied. */
  maxUnanswered: number;
}): Messages {
  const Messages = messageModel(kit.connection);
  const Conversations = conversationModel(kit.connection);
  const outbox = kit.outboxes.forModel(Messages, {
    onRelay: async (event) => {
      if (event.name === 'message.sent.v1') await last.applySent(event);
      if (event.name === 'message.deleted.v1') await last.applyDeleted(event);
    },
  });
  const append = createMessageAppender({ kit, outbox, last, maxUnanswered });

  return {
    async list(
      pair: Pair,
      { before, after, limit = messagesPerPage }: MessageQuery,
      caller: Caller,
    ): Promise<Message[]> {
      await conversations.assertNotBlocked(pair);
      const { _id: conversationId } = pair;
      const from = Math.max(after ?? 0, lowerBound(conversationId));
      const to = Math.min(before ?? Infinity, upperBound(conversationId));
      const messages = await Messages.find({ _id: { $gt: from, $lt: to } }, { outbox: 0 })
        .sort({ _id: after === undefined ? -1 : 1 })
        .limit(limit)
        .lean();
      if (after === undefined) messages.reverse();
      const now = kit.clock.now();
      return messages.map((message) => presentMessageTo(caller.id, message, now));
    },

    async applyDecision({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
      if (data.kind !== 'message') return;
      const { subjectId: _id, version: decision, state } = data;
      const removed = state !== 'live';
      await Messages.updateOne(
        { _id, $or: [{ decision: null }, { decision: { $lt: decision } }] },
        { $set: { decision, removed, ...(state === 'deleted' && { text: '' }) } },
      );
      const message = await Messages.findById(_id, { outbox: 0 }).lean();
      if (!message) return;
      const text = truncateText(presentMessage(message).text, maxPreviewLength);
      await Conversations.updateOne(
        { _id: message.conversationId, 'last.messageId': _id },
        { $set: { 'last.text': text } },
      );
    },

    async send(
      { text, conversationId, clientId }: Pick<NewMessage, 'text' | 'conversationId' | 'clientId'>,
      caller: Caller,
    ): Promise<{ message: Message; isNew: boolean }> {
      const pair = await conversations.pairOf(conversationId);
      if (!ownersOf(pair).includes(caller.id)) throw new Problem('forbidden');
      await people.requireFriends(caller, otherOf(pair, caller.id));
      await limiter.count(`${conversationId}:${caller.id}`, { weight: kit.weightOf(caller) });
      const { message, isNew } = await append({ pair, sender: caller.id, text, clientId });
      return { message: presentMessageTo(caller.id, message, kit.clock.now()), isNew };
    },

    async delete(pair: Pair, id: number, caller: Caller): Promise<void> {
      await conversations.assertNotBlocked(pair);
      const { _id: conversationId } = pair;
      const message = await Messages.findOne({ _id: id, conversationId }, { outbox: 0 }).lean();
      if (!message) throw new Problem('message-not-found');
      const { sender, deleted } = message;
      if (sender !== caller.id) throw new Problem('forbidden');
      if (deleted) return;
      if (isTooOldToDelete(message, kit.clock.now())) throw new Problem('message-too-old');
      const receiverId = otherOf(pair, sender);
      const events = [
        newEvent('message.deleted.v1', { conversationId, messageId: id, sender, receiverId }, kit.clock),
      ];
      const { matchedCount } = await Messages.updateOne(
        { _id: id, deleted: { $ne: true } },
        withEvents({ $set: { deleted: true, text: '' } }, events, kit.clock),
      );
      if (matchedCount) outbox.send(id);
    },
  };
}

/** All messages of a person's conversations, their own and the other person's, conversation by conversation. */
export function ownMessages({ connection }: Pick<ServiceKit, 'connection'>): OwnDataKind {
  const Conversations = conversationModel(connection);
  const Messages = messageModel(connection);
  return {
    kind: 'messages',
    async page(userId, after, limit) {
      const last = Number(after ?? 0);
      const all = (await Conversations.find(participantFilter(userId), { _id: 1 }).lean()).sort(
        (one, other) => one._id - other._id,
      );
      const found: Record<string, unknown>[] = [];
      for (const { _id: id } of all) {
        if (upperBound(id) <= last) continue;
        const rangeFilter = { _id: { $gt: Math.max(last, lowerBound(id)), $lt: upperBound(id) } };
        const page = await Messages.find(
          { ...rangeFilter, removed: { $ne: true }, deleted: { $ne: true } },
          { conversationId: 1, sender: 1, text: 1, createdAt: 1 },
        )
          .sort({ _id: 1 })
          .limit(limit - found.length)
          .lean();
        found.push(...page.map((message) => ({ ...message })));
        if (found.length === limit) break;
      }
      return found;
    },
  };
}
