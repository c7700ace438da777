import type { Message } from '@wayquest/contracts';
import { idle, loading, type RequestStatus } from '../../shared/lib/request-status.ts';

/** A message of the person's own that the conversation does not show as saved yet. */
export interface Outgoing {
  clientId: string;
  text: string;
  createdAt: string;
  state: 'sending' | 'sent' | 'failed';
  error: string | null;
  /** Whether the server said no, and would again. */
  refused: boolean;
}

/** What is known of a conversation's messages: a stretch without gaps up to some message, and what is on its way. */
export interface Thread {
  /** The conversation's. */
  id: number;
  /** By ascending ids, which are consecutive. */
  messages: Message[];
  outgoing: Outgoing[];
  newest: RequestStatus;
  older: RequestStatus;
  /** Whether the first message of all is here. */
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

/** Both together in the order of their ids, each once. */
export function mergeMessages(known: Message[], found: Message[]): Message[] {
  const byId = new Map([...known, ...found].map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => one.id - other.id);
}

/** Whether messages are missing between the last one here and this one. */
export const isBehind = ({ messages, newest }: Thread, messageId: number) =>
  newest.state === 'ready' && (messages.at(-1)?.id ?? 0) < messageId;

function keep(thread: Thread, messages: Message[]) {
  thread.messages = messages;
  const saved = new Set(messages.map(({ clientId }) => clientId));
  thread.outgoing = thread.outgoing.filter(({ clientId }) => !saved.has(clientId));
}

/** Takes what the server listed in. */
export const takeIn = (thread: Thread, found: Message[]) =>
  keep(thread, mergeMessages(thread.messages, found));

/** Appends a single message if it is the very next; one after a gap has to wait for those before it. */
export function append(thread: Thread, message: Message) {
  const last = thread.messages.at(-1);
  if (last && message.id === last.id + 1) keep(thread, [...thread.messages, message]);
}

/** What of the person's own waits to be sent, oldest first. */
export const nextToSend = (thread: Thread | undefined) =>
  thread?.outgoing.find(({ state }) => state === 'sending');
