import type { Conversation } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { withEvents } from '@wayquest/platform/outbox';
import type { BlockReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, pairKey, retryOnConflict } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import { LRUCache } from 'lru-cache';
import {
  conversationModel,
  otherOf,
  presentConversation,
  readFields,
  type StoredConversation,
} from './conversation.model.ts';
import type { ConversationPreviews } from './conversation-previews.ts';
import type { FriendAccess } from './friend-access.ts';
import { messageModel, sentCountOf } from './message.model.ts';
import type { Preferences } from './preferences.ts';

export type Pair = Pick<StoredConversation, '_id' | 'senderId' | 'receiverId'>;

/** Filter for a person's conversations. */
export const participantFilter = (userId: number) => ({
  $or: [{ senderId: userId }, { receiverId: userId }],
});

/** The operations on conversations. */
export interface Conversations {
  /** Throws `conversation-not-found`. */
  find(id: number): Promise<StoredConversation>;
  /** Throws `conversation-not-found`, also if one of the two has blocked the other. */
  assertNotBlocked(pair: Pair): Promise<void>;
  /** The two people. Throws `conversation-not-found`. */
  pairOf(id: number): Promise<Pair>;
  /**
   * A person's conversations except with people who are hidden from them: by newest message; those without messages last,
   * newest first.
   */
  list(userId: number): Promise<Conversation[]>;
  /** Throws `not-friends`. */
  open(friendId: number, caller: Caller): Promise<{ conversation: Conversation; isNew: boolean }>;
  /** Two people became friends, unless the end of the friendship has arrived first. */
  openForFriends(pair: [number, number]): Promise<void>;
  /** Throws `conversation-not-found` and `message-not-found`. */
  markRead(conversation: StoredConversation, messageId: number, caller: Caller): Promise<Conversation>;
}

/** Creates the store of conversations and of how far each participant has read. */
export function createConversations({
  kit: { connection, clock, ids, outboxes },
  people,
  blocks,
  preferences,
  last,
}: {
  kit: ServiceKit;
  people: FriendAccess;
  blocks: BlockReplica;
  preferences: Preferences;
  last: ConversationPreviews;
}): Conversations {
  const Conversations = conversationModel(connection);
  const outbox = outboxes.forModel(Conversations);
  const Messages = messageModel(connection);

  /** The two people of each conversation, which never change. */
  const pairs = new LRUCache<number, Pair>({ max: 10_000 });

  /** Conversations for one of their people; those with somebody unknown to the replica are omitted. */
  const toConversations = async (
    conversations: StoredConversation[],
    userId: number,
  ): Promise<Conversation[]> => {
    const others = conversations.map((conversation) => otherOf(conversation, userId));
    const [users, friends, withoutReadReceipts] = await Promise.all([
      people.byIds(others),
      people.friendsOf(userId),
      preferences.withoutReadReceipts(others),
    ]);
    return conversations.flatMap((conversation) => {
      const otherId = otherOf(conversation, userId);
      const user = users.get(otherId);
      if (!user) return [];
      const viewerState = {
        user,
        open: friends.has(otherId),
        hidesReadReceipts: withoutReadReceipts.has(otherId),
      };
      return [presentConversation({ conversation, userId, ...viewerState })];
    });
  };

  const toConversation = async (conversation: StoredConversation, userId: number): Promise<Conversation> => {
    const [presented] = await toConversations([conversation], userId);
    if (!presented) throw new Problem('service-unavailable');
    return presented;
  };

  /** The conversation of two people, created if missing; the pair is unique. */
  const getOrCreate = async (senderId: number, receiverId: number) => {
    const pair = pairKey(senderId, receiverId);
    return retryOnConflict(async () => {
      const existing = await Conversations.findOne({ pair }, { outbox: 0 }).lean();
      if (existing) return { conversation: existing, isNew: false };
      const conversation: StoredConversation = {
        _id: await ids.next('conversation'),
        pair,
        senderId,
        receiverId,
      };
      const events = [
        newEvent(
          'conversation.created.v1',
          { conversationId: conversation._id, senderId, receiverId },
          clock,
        ),
      ];
      try {
        await outbox.create(conversation, events);
      } catch (error) {
        if (isWriteConflict(error)) return undefined;
        throw error;
      }
      return { conversation, isNew: true };
    });
  };

  const find = async (id: number): Promise<StoredConversation> => {
    const conversation = await Conversations.findById(id, { outbox: 0 }).lean();
    if (!conversation) throw new Problem('conversation-not-found');
    return conversation;
  };

  const assertNotBlocked = async ({ senderId, receiverId }: Pair): Promise<void> => {
    if (await blocks.isBlockedBetween(senderId, receiverId)) throw new Problem('conversation-not-found');
  };

  return {
    find,
    assertNotBlocked,

    async pairOf(id: number): Promise<Pair> {
      const cached = pairs.get(id);
      if (cached) return cached;
      const { senderId, receiverId } = await find(id);
      const pair = { _id: id, senderId, receiverId };
      pairs.set(id, pair);
      return pair;
    },

    async list(userId: number): Promise<Conversation[]> {
      const conversations = await Conversations.find(participantFilter(userId), { outbox: 0 })
        .sort({ _id: -1 })
        .lean();
      const lastMessageTime = ({ last }: StoredConversation) => last?.createdAt.getTime() ?? 0;
      const presented = await toConversations(
        conversations.sort((one, other) => lastMessageTime(other) - lastMessageTime(one)),
        userId,
      );
      // Friends are never hidden from each other.
      if (presented.every(({ open }) => open)) return presented;
      const hidden = await blocks.hiddenFrom(userId);
      return presented.filter(({ user }) => !hidden.has(user.id));
    },

    async open(friendId: number, caller: Caller): Promise<{ conversation: Conversation; isNew: boolean }> {
      await people.requireFriends(caller, friendId);
      const { conversation, isNew } = await getOrCreate(caller.id, friendId);
      return { conversation: await toConversation(conversation, caller.id), isNew };
    },

    async openForFriends([userId, friendId]: [number, number]): Promise<void> {
      if (await people.areFriends(userId, friendId)) await getOrCreate(userId, friendId);
    },

    async markRead(
      conversation: StoredConversation,
      messageId: number,
      caller: Caller,
    ): Promise<Conversation> {
      const { _id: id } = conversation;
      await assertNotBlocked(conversation);
      const message = await Messages.findOne(
        { _id: messageId, conversationId: id },
        { conversationId: 1, sender: 1, senderSequence: 1 },
      ).lean();
      if (!message) throw new Problem('message-not-found');
      const fields = readFields(conversation, caller.id);
      const count = sentCountOf(otherOf(conversation, caller.id), await last.withSequence(message));
      const { sendReadReceipts } = await preferences.of(caller.id);
      const events = [
        newEvent(
          'message.read.v1',
          {
            conversationId: id,
            userId: caller.id,
            otherId: otherOf(conversation, caller.id),
            messageId,
            shown: sendReadReceipts,
          },
          clock,
        ),
      ];
      const { matchedCount } = await Conversations.updateOne(
        { _id: id, $or: [{ [fields.id]: null }, { [fields.id]: { $lt: messageId } }] },
        withEvents(
          {
            $set: { [fields.id]: messageId, [fields.count]: count },
            $pull: { [fields.deleted]: { messageId: { $lte: messageId } } },
          },
          events,
          clock,
        ),
      );
      if (matchedCount) outbox.send(id);
      return toConversation(await find(id), caller.id);
    },
  };
}
