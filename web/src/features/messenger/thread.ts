import type { Message } from '@wayquest/contracts';
import { idle, loading, type RequestStatus } from '../../shared/lib/request-status.ts';

/** An own message that the conversation does not contain as saved yet. */
export interface OutgoingMessage {
  clientId: string;
  text: string;
  createdAt: string;
  state: 'sending' | 'sent' | 'failed';
  /** Why it was not sent; null if there was no response, or it is unknown. */
  error: string | null;
  /** Whether the server rejected it, so that a retry would fail, too. */
  refused: boolean;
}

/** The loaded messages of a conversation, without gaps up to the newest loaded one, and the outgoing ones. */
export interface Thread {
  /** The conversation's id. */
  id: number;
  /** In ascending order of ids, which are consecutive. */
  messages: Message[];
  outgoing: OutgoingMessage[];
  newest: RequestStatus;
  older: RequestStatus;
  /** Whether the very first message is loaded. */
  complete: boolean;
}

export const newThread = (id: number): Thread => ({
  id,
  messages: [],
  outgoing: [],
  newest: loading,
  older: idle,
  complete: false,
});

/** Merges two lists by id, in ascending order. A list may be older than the event that a message of it was deleted. */
export function mergeMessages(known: Message[], found: Message[]): Message[] {
  const deleted = known.filter((message) => message.deleted);
  const byId = new Map([...known, ...found, ...deleted].map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => one.id - other.id);
}

/** Whether messages between the last loaded one and this one are missing. */
export const isBehind = ({ messages, newest }: Thread, messageId: number) =>
  newest.state === 'ready' && (messages.at(-1)?.id ?? 0) < messageId;

function setMessages(thread: Thread, messages: Message[]) {
  thread.messages = messages;
  const saved = new Set(messages.map(({ clientId }) => clientId));
  thread.outgoing = thread.outgoing.filter(({ clientId }) => !saved.has(clientId));
}

/** Merges a list of the server into a thread. */
export const mergeLoaded = (thread: Thread, found: Message[]) =>
  setMessages(thread, mergeMessages(thread.messages, found));

/** Appends a message if it directly follows the last one; after a gap it has to wait for those before it. */
export function append(thread: Thread, message: Message) {
  const last = thread.messages.at(-1);
  if (last && message.id === last.id + 1) setMessages(thread, [...thread.messages, message]);
}

/** Leaves the place of a message that its sender deleted. */
export function markDeleted(thread: Thread, messageId: number) {
  const message = thread.messages.find(({ id }) => id === messageId);
  if (message) Object.assign(message, { text: '', deleted: true });
}

/** Older messages are not retried automatically, since they may be outdated. */
const autoRetryMaxAgeMs = 24 * 60 * 60 * 1_000;

/** Whether a failed message is sent without a retry of the person. */
export const isRetriedLater = (
  { createdAt, refused }: Pick<OutgoingMessage, 'createdAt' | 'refused'>,
  now: number,
): boolean => !refused && now - Date.parse(createdAt) < autoRetryMaxAgeMs;

/** Returns the oldest own message that is to be sent. */
export const nextToSend = (thread: Thread | undefined) =>
  thread?.outgoing.find(({ state }) => state === 'sending');
