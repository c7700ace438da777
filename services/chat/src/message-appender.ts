import { AsyncLocalStorage } from 'node:async_hooks';
import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type BatchItem, type Clock, createKeyedBatcher } from '@wayquest/platform/process';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import { LRUCache } from 'lru-cache';
import type { LastMessages } from './conversation-previews.ts';
import type { Pair } from './conversations.ts';
import { messageModel } from './message.model.ts';
import { presentMessage, type StoredMessage } from './message.presenter.ts';
import { afterLast, beforeFirst, type SequencedMessage, sentCountOf } from './message-ids.ts';
import { maySend, otherOf } from './policies.ts';

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
interface Following {
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

function following(end: SequencedMessage, draft: Draft, clock: Clock): Following {
  const { pair, sender, text, clientId } = draft;
  const clientKey = clientKeyOf(draft);
  const document = {
    _id: end.messageId + 1,
    conversationId: pair._id,
    sender,
    senderSequence: sentCountOf(sender, end) + 1,
    text,
    createdAt: new Date(clock.now()),
    ...(clientKey && { clientId, clientKey }),
  };
  const receiverId = otherOf(pair, sender);
  const sent = { message: presentMessage(document), receiverId, senderSequence: document.senderSequence };
  return { document, events: [newEvent('message.sent.v1', sent, clock)] };
}

interface Waiting {
  conversationId: number;
  draft: Draft;
  follow: (end: SequencedMessage) => Following;
}

/**
 * Appends messages to their conversations. Messages for a conversation that arrive in an instance during a write are
 * all in the next write; between instances the unique id decides.
 */
export function createMessageAppender({
  kit: { connection, clock, outboxes },
  last,
  maxUnanswered,
}: {
  kit: ServiceKit;
  last: LastMessages;
  maxUnanswered: number;
}): (draft: Draft) => Promise<AppendResult> {
  const Messages = messageModel(connection);
  const outbox = outboxes.forModel(Messages, {
    onRelay: async (event) => {
      if (event.name === 'message.sent.v1') await last.applySent(event);
    },
  });
  /** The last message of conversations as known to this instance; an outdated one only costs a second try. */
  const ends = new LRUCache<number, SequencedMessage>({ max: 10_000 });

  const readEnd = async (conversationId: number): Promise<SequencedMessage> => {
    const newest = await Messages.findOne(
      { _id: { $gt: beforeFirst(conversationId), $lt: afterLast(conversationId) } },
      { conversationId: 1, sender: 1, senderSequence: 1 },
    )
      .sort({ _id: -1 })
      .lean();
    return newest
      ? last.number(newest)
      : { messageId: beforeFirst(conversationId), sender: 0, senderSequence: 0 };
  };

  const firstOf = async (clientKey: string | undefined) =>
    clientKey === undefined ? null : Messages.findOne({ clientKey }, { outbox: 0 }).lean();

  /** The messages to append, and those whose sender has to wait for a reply first. */
  const planned = (batch: BatchItem<Waiting, AppendResult>[], end: SequencedMessage) => {
    const inserts: Following[] = [];
    const allowed: BatchItem<Waiting, AppendResult>[] = [];
    const refused: BatchItem<Waiting, AppendResult>[] = [];
    let last = end;
    for (const each of batch) {
      const { pair, sender } = each.item.draft;
      const [own, others] = [sentCountOf(sender, last), sentCountOf(otherOf(pair, sender), last)];
      if (!maySend({ own, others, max: maxUnanswered })) {
        refused.push(each);
        continue;
      }
      const next = each.item.follow(last);
      const { _id: messageId, senderSequence } = next.document;
      last = { messageId, sender, senderSequence };
      inserts.push(next);
      allowed.push(each);
    }
    return { inserts, allowed, refused, last };
  };

  /** Repeated requests for sent messages still get their response. */
  const refuse = async ({ item: { draft }, resolve, reject }: BatchItem<Waiting, AppendResult>) => {
    const message = await firstOf(clientKeyOf(draft));
    if (message) resolve({ message, isNew: false });
    else reject(new Problem('no-answer-yet'));
  };

  const write = async (batch: BatchItem<Waiting, AppendResult>[]): Promise<void> => {
    let left = batch;

    /** Returns undefined if another instance was faster. */
    const attempt = async (): Promise<true | undefined> => {
      const [first] = left;
      if (!first) return true;
      const { conversationId } = first.item;
      const known = ends.get(conversationId);
      let plan = planned(left, known ?? (await readEnd(conversationId)));
      // The reply may have arrived at another instance.
      if (known && plan.refused.length) plan = planned(left, await readEnd(conversationId));
      const { inserts, last: end } = plan;
      left = plan.allowed;
      await Promise.all(plan.refused.map(refuse));
      if (!inserts.length) return true;
      const { inserted, error } = await outbox.createOrdered(inserts);
      if (inserted === inserts.length) ends.set(conversationId, end);
      else ends.delete(conversationId);
      for (const [index, { document: message }] of inserts.slice(0, inserted).entries())
        left[index]?.resolve({ message, isNew: true });
      left = left.slice(inserted);
      if (error === undefined) return true;
      if (!isWriteConflict(error)) throw error;
      const refused = inserts[inserted];
      const sentBefore = refused && (await firstOf(refused.document.clientKey));
      if (!sentBefore) return undefined;
      left[0]?.resolve({ message: sentBefore, isNew: false });
      left = left.slice(1);
      return attempt();
    };
    // The known last message is often outdated by another instance's: the first conflict is not a race.
    if (!(await attempt())) await retryOnConflict(attempt);
  };

  const queue = createKeyedBatcher<number, Waiting, AppendResult>(write);

  return (draft) => {
    const conversationId = draft.pair._id;
    // Whichever call writes it, its event contains the id of the call that it comes from.
    return queue(conversationId, {
      conversationId,
      draft,
      follow: AsyncLocalStorage.bind((end) => following(end, draft, clock)),
    });
  };
}
