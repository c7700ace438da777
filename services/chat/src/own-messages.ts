import type { OwnDataKind, ServiceKit } from '@wayquest/platform/service';
import { conversationModel } from './conversation.model.ts';
import { participantFilter } from './conversations.ts';
import { messageModel } from './message.model.ts';
import { lowerBound, upperBound } from './message-ids.ts';

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
          { ...rangeFilter, removed: { $ne: true } },
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
