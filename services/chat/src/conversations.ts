import { type Conversation, mostUnread } from '@wayquest/contracts';
import { newEvent, withEvents } from '@wayquest/platform/bus';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { ServiceKit } from '@wayquest/platform/service';
import { lostTheRace, pairOf, untilWon } from '@wayquest/platform/store';
import { conversationModel } from './conversation.model.ts';
import { presentConversation, readField, type StoredConversation } from './conversation.presenter.ts';
import { messageModel } from './message.model.ts';
import { afterLast, beforeFirst } from './message-ids.ts';
import type { People } from './people.ts';
import { otherOf } from './policies.ts';
import type { Preferences } from './preferences.ts';

/** The operations on conversations, in the words of the domain. */
export function createConversations({
  kit: { connection, ids, outboxes },
  people,
  preferences,
}: {
  kit: ServiceKit;
  people: People;
  preferences: Preferences;
}) {
  const Conversations = conversationModel(connection);
  const outbox = outboxes.of(Conversations);
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
      people.byIds(others),
      people.friendsOf(userId),
      preferences.hidingReadMarks(others),
      Promise.all(conversations.map((conversation) => unread(conversation, userId))),
    ]);
    return conversations.flatMap((conversation, index) => {
      const otherId = otherOf(conversation, userId);
      const user = users.get(otherId);
      if (!user) return [];
      const seen = {
        user,
        open: friends.has(otherId),
        unread: counts[index] ?? 0,
        hidesReadMarks: hiding.has(otherId),
      };
      return [presentConversation({ conversation, userId, ...seen })];
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
        await outbox.create(conversation, created);
      } catch (error) {
        if (lostTheRace(error)) return undefined;
        throw error;
      }
      return { conversation, isNew: true };
    });
  };

  /** Throws `conversation-not-found`. */
  const find = async (id: number): Promise<StoredConversation> => {
    const conversation = await Conversations.findById(id, { outbox: 0 }).lean();
    if (!conversation) throw new Problem('conversation-not-found');
    return conversation;
  };

  return {
    find,

    /** A person's own, the newest first. */
    async list(userId: number): Promise<Conversation[]> {
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
      await people.requireFriends(caller, friendId);
      const { conversation, isNew } = await ensure(caller.id, friendId);
      return { conversation: await presentOne(conversation, caller.id), isNew };
    },

    /** Two people became friends; unless they have parted again since, which may be known before. */
    async keepFriends([userId, friendId]: [number, number]): Promise<void> {
      if (await people.areFriends(userId, friendId)) await ensure(userId, friendId);
    },

    /** Throws `message-not-found`. */
    async markRead(
      conversation: StoredConversation,
      messageId: number,
      caller: Caller,
    ): Promise<Conversation> {
      const { _id: id } = conversation;
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
      if (matchedCount) outbox.send(id);
      return presentOne(await find(id), caller.id);
    },
  };
}

export type Conversations = ReturnType<typeof createConversations>;
