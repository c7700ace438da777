import { type Conversation, mostUnread } from '@wayquest/contracts';
import {
  type Caller,
  lostTheRace,
  newEvent,
  outboxOf,
  Problem,
  type ServiceKit,
  untilWon,
  withEvents,
} from '@wayquest/platform';
import type { Contacts } from './contacts.ts';
import { type ConversationDocument, conversationModel, pairOf } from './conversation.model.ts';
import { messageModel } from './message.model.ts';
import { afterLast, beforeFirst } from './message-ids.ts';
import { otherOf, takesPart } from './policies.ts';
import type { Preferences } from './preferences.ts';

export type StoredConversation = Omit<ConversationDocument, 'outbox'>;

const readField = ({ senderId }: StoredConversation, userId: number) =>
  userId === senderId ? 'senderReadId' : 'receiverReadId';

/** The operations on conversations, in the words of the domain. */
export function createConversations(
  { connection, ids, outbox }: ServiceKit,
  contacts: Contacts,
  preferences: Preferences,
) {
  const Conversations = conversationModel(connection);
  const Messages = messageModel(connection);

  const unread = (conversation: StoredConversation, userId: number): Promise<number> => {
    const from = conversation[readField(conversation, userId)] ?? beforeFirst(conversation._id);
    return Messages.countDocuments(
      { _id: { $gt: from, $lt: afterLast(conversation._id) }, sender: otherOf(conversation, userId) },
      { limit: mostUnread },
    );
  };

  /** Conversations as one of their people sees them; one with somebody who cannot be shown yet is left out. */
  const present = async (conversations: StoredConversation[], userId: number): Promise<Conversation[]> => {
    const others = conversations.map((conversation) => otherOf(conversation, userId));
    const [users, friends, hiding, counts] = await Promise.all([
      contacts.byIds(others),
      contacts.friendsOf(userId),
      preferences.hidingReadMarks(others),
      Promise.all(conversations.map((conversation) => unread(conversation, userId))),
    ]);
    return conversations.flatMap((conversation, index) => {
      const { _id, senderId, receiverId } = conversation;
      const otherId = otherOf(conversation, userId);
      const user = users.get(otherId);
      if (!user) return [];
      const presented: Conversation = {
        id: _id,
        senderId,
        receiverId,
        user,
        open: friends.has(otherId),
        unread: counts[index] ?? 0,
        readId: conversation[readField(conversation, userId)] ?? null,
        otherReadId: hiding.has(otherId) ? null : (conversation[readField(conversation, otherId)] ?? null),
      };
      return [presented];
    });
  };

  const presentOne = async (conversation: StoredConversation, userId: number): Promise<Conversation> => {
    const [presented] = await present([conversation], userId);
    if (!presented) throw new Problem('service-unavailable');
    return presented;
  };

  /** The one conversation of two people, made if need be; the pair is unique. */
  const ensure = async (senderId: number, receiverId: number) => {
    const pair = pairOf(senderId, receiverId);
    return untilWon(async () => {
      const existing = await Conversations.findOne({ pair }, { outbox: 0 }).lean();
      if (existing) return { conversation: existing, isNew: false };
      const conversation: StoredConversation = {
        _id: await ids.next('conversation'),
        pair,
        senderId,
        receiverId,
      };
      const created = [
        newEvent('conversation.created.v1', { conversationId: conversation._id, senderId, receiverId }),
      ];
      try {
        await Conversations.create({ ...conversation, ...outboxOf(created) });
      } catch (error) {
        if (lostTheRace(error)) return undefined;
        throw error;
      }
      outbox.send(Conversations, conversation._id, created);
      return { conversation, isNew: true };
    });
  };

  /** Throws `conversation-not-found`, and `forbidden` for other people's. */
  const ofCaller = async (id: number, caller: Caller): Promise<StoredConversation> => {
    const conversation = await Conversations.findById(id, { outbox: 0 }).lean();
    if (!conversation) throw new Problem('conversation-not-found');
    if (!takesPart(caller, conversation)) throw new Problem('forbidden');
    return conversation;
  };

  return {
    ofCaller,

    /** The caller's own, the newest first. Throws `forbidden` for somebody else's. */
    async list(userId: number, caller: Caller): Promise<Conversation[]> {
      if (userId !== caller.id) throw new Problem('forbidden');
      const conversations = await Conversations.find(
        { $or: [{ senderId: userId }, { receiverId: userId }] },
        { outbox: 0 },
      )
        .sort({ _id: -1 })
        .lean();
      return present(conversations, userId);
    },

    /** Throws `not-friends`. */
    async open(friendId: number, caller: Caller): Promise<{ conversation: Conversation; isNew: boolean }> {
      await contacts.requireFriends(caller, friendId);
      const { conversation, isNew } = await ensure(caller.id, friendId);
      return { conversation: await presentOne(conversation, caller.id), isNew };
    },

    /** Two people became friends; unless they have parted again since, which may be known before. */
    async keepFriends([userId, friendId]: [number, number]): Promise<void> {
      if (await contacts.areFriends(userId, friendId)) await ensure(userId, friendId);
    },

    /** Throws `conversation-not-found`, `forbidden` and `message-not-found`. */
    async markRead(id: number, messageId: number, caller: Caller): Promise<Conversation> {
      const conversation = await ofCaller(id, caller);
      if (!(await Messages.exists({ _id: messageId, conversationId: id }))) {
        throw new Problem('message-not-found');
      }
      const field = readField(conversation, caller.id);
      const { showReadMarks } = await preferences.of(caller.id);
      const read = [
        newEvent('message.read.v1', {
          conversationId: id,
          userId: caller.id,
          otherId: otherOf(conversation, caller.id),
          messageId,
          shown: showReadMarks,
        }),
      ];
      const { matchedCount } = await Conversations.updateOne(
        { _id: id, $or: [{ [field]: null }, { [field]: { $lt: messageId } }] },
        withEvents({ $set: { [field]: messageId } }, read),
      );
      if (matchedCount) outbox.send(Conversations, id, read);
      return presentOne(await ofCaller(id, caller), caller.id);
    },
  };
}

export type Conversations = ReturnType<typeof createConversations>;
