import { AsyncLocalStorage } from 'node:async_hooks';
import type { Event } from '@wayquest/contracts';
import { type BatchItem, type Clock, createKeyedBatcher } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import type { Outbox } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import { LRUCache } from 'lru-cache';
import { maySend, otherOf } from './conversation.model.ts';
import type { ConversationPreviews } from './conversation-previews.ts';
import type { Pair } from './conversations.ts';
import {
  lowerBound,
  type MessageDocument,
  messageModel,
  presentMessage,
  type SequencedMessage,
  type StoredMessage,
  sentCountOf,
  upperBound,
} from './message.model.ts';

/** A message without an id yet. */
export interface Draft {
  pair: Pair;
  sender: number;
  text: string;
  clientId?: string | undefined;
}

export interface AppendResult {
  message: StoredMessage;
  /** False if its sender had sent it before with the same clientId. */
  isNew: boolean;
}

/** The key by which a repeated message is recognized. */
const clientKeyOf = ({ pair, sender, clientId }: Draft): string | undefined =>
  clientId && `${pair._id}:${sender}:${clientId}`;

/** The message after another one, with its event. */
interface NextMessage {
  document: {
    clientId?: string | undefined;
    clientKey?: string | undefined;
    _id: number;
    conversationId: number;
    sender: number;
    senderSequence: number;
    text: string;
    createdAt: Date;
  };
  events: Event<'message.sent.v1'>[];
}

function nextMessage(lastMessage: SequencedMessage, draft: Draft, clock: Clock): NextMessage {
  const { pair, sender, text, clientId } = draft;
  const clientKey = clientKeyOf(draft);
  const document = {
    _id: lastMessage.messageId + 1,
    conversationId: pair._id,
    sender,
    senderSequence: sentCountOf(sender, lastMessage) + 1,
    text,
    createdAt: new Date(clock.now()),
    ...(clientKey && { clientId, clientKey }),
  };
  const receiverId = otherOf(pair, sender);
  const sent = { message: presentMessage(document), receiverId, senderSequence: document.senderSequence };
  return { document, events: [newEvent('message.sent.v1', sent, clock)] };
}

interface QueuedMessage {
  conversationId: number;
  draft: Draft;
  build: (end: SequencedMessage) => NextMessage;
}

/**
 * Appends messages to their conversations. Messages that arrive while a write of their conversation runs are
 * batched into the next write; between instances the unique id decides.
 */
export function createMessageAppender({
  kit: { connection, clock },
  outbox,
  last,
  maxUnanswered,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  outbox: Outbox<MessageDocument>;
  last: Pick<ConversationPreviews, 'withSequence'>;
  maxUnanswered: number;
}): (draft: Draft) => Promise<AppendResult> {
  const Messages = messageModel(connection);
  /** The last message of conversations as known to this instance; an outdated one only costs a second try. */
  const lastMessages = new LRUCache<number, SequencedMessage>({ max: 10_000 });

  const readLast = async (conversationId: number): Promise<SequencedMessage> => {
    const newest = await Messages.findOne(
      { _id: { $gt: lowerBound(conversationId), $lt: upperBound(conversationId) } },
      { conversationId: 1, sender: 1, senderSequence: 1 },
    )
      .sort({ _id: -1 })
      .lean();
    return newest
      ? last.withSequence(newest)
      : { messageId: lowerBound(conversationId), sender: 0, senderSequence: 0 };
  };

  const findByClientKey = async (clientKey: string | undefined) =>
    clientKey === undefined ? null : Messages.findOne({ clientKey }, { outbox: 0 }).lean();

  /** The messages to append, and those whose sender has to wait for a reply first. */
  const planAppend = (batch: BatchItem<QueuedMessage, AppendResult>[], lastMessage: SequencedMessage) => {
    const inserts: NextMessage[] = [];
    const allowed: BatchItem<QueuedMessage, AppendResult>[] = [];
    const rejected: BatchItem<QueuedMessage, AppendResult>[] = [];
    let last = lastMessage;
    for (const each of batch) {
      const { pair, sender } = each.item.draft;
      const [own, others] = [sentCountOf(sender, last), sentCountOf(otherOf(pair, sender), last)];
      if (!maySend({ own, others, max: maxUnanswered })) {
        rejected.push(each);
        continue;
      }
      const next = each.item.build(last);
      const { _id: messageId, senderSequence } = next.document;
      last = { messageId, sender, senderSequence };
      inserts.push(next);
      allowed.push(each);
    }
    return { inserts, allowed, rejected, last };
  };

  /** Repeated requests for sent messages still get their response. */
  const rejectOrResolveRepeat = async ({
    item: { draft },
    resolve,
    reject,
  }: BatchItem<QueuedMessage, AppendResult>) => {
    const message = await findByClientKey(clientKeyOf(draft));
    if (message) resolve({ message, isNew: false });
    else reject(new Problem('awaiting-reply'));
  };

  const write = async (batch: BatchItem<QueuedMessage, AppendResult>[]): Promise<void> => {
    let remaining = batch;

    /** Returns undefined if another instance was faster. */
    const attempt = async (): Promise<true | undefined> => {
      const [first] = remaining;
      if (!first) return true;
      const { conversationId } = first.item;
      const known = lastMessages.get(conversationId);
      let plan = planAppend(remaining, known ?? (await readLast(conversationId)));
      // The reply may have arrived at another instance.
      if (known && plan.rejected.length) plan = planAppend(remaining, await readLast(conversationId));
      const { inserts, last: lastMessage } = plan;
      remaining = plan.allowed;
      await Promise.all(plan.rejected.map(rejectOrResolveRepeat));
      if (!inserts.length) return true;
      const { inserted, error } = await outbox.createOrdered(inserts);
      if (inserted === inserts.length) lastMessages.set(conversationId, lastMessage);
      else lastMessages.delete(conversationId);
      for (const [index, { document: message }] of inserts.slice(0, inserted).entries())
        remaining[index]?.resolve({ message, isNew: true });
      remaining = remaining.slice(inserted);
      if (error === undefined) return true;
      if (!isWriteConflict(error)) throw error;
      const conflicting = inserts[inserted];
      const existing = conflicting && (await findByClientKey(conflicting.document.clientKey));
      if (!existing) return undefined;
      remaining[0]?.resolve({ message: existing, isNew: false });
      remaining = remaining.slice(1);
      return attempt();
    };
    // The known last message is often outdated by another instance's: the first conflict is not a race.
    if (!(await attempt())) await retryOnConflict(attempt);
  };

  const queue = createKeyedBatcher<number, QueuedMessage, AppendResult>(write);

  return (draft) => {
    const conversationId = draft.pair._id;
    // Whichever call writes it, its event contains the id of the call that it comes from.
    return queue(conversationId, {
      conversationId,
      draft,
      build: AsyncLocalStorage.bind((lastMessage) => nextMessage(lastMessage, draft, clock)),
    });
  };
}
