import { z } from 'zod';
import { Message } from './chat.ts';
import { Id, IdText } from './primitives.ts';
import { ProblemDetails } from './problem-details.ts';
import { freeText } from './text.ts';
import { textLimits } from './text-limits.ts';

/** What a client may send. Each is acknowledged, for those who ask for it. */
export const clientEvents = {
  /** One's own id; the answer is `getUsers`. Another's is refused. */
  addUser: z.union([Id, IdText]),
  /** Says that a message was sent by POST /api/messages. It is checked and acknowledged, and never makes a copy. */
  sendMessage: z.object({
    senderId: z.union([Id, IdText]),
    receiverId: z.union([Id, IdText]),
    text: freeText(textLimits.message).min(1, 'must not be empty'),
  }),
  /** Again every few seconds while one writes; who does not hear it for five takes it as over. */
  typing: z.object({ receiverId: Id }),
  /** Whether this tab shows the leaderboard now, and so wants to hear `leaderboard`. */
  watchLeaderboard: z.boolean(),
  /** The one challenge that this tab shows now, and so wants to hear `challenge` of; none with null. */
  watchChallenge: Id.nullable(),
};
export type ClientEventName = keyof typeof clientEvents;

/** What the server sends. */
export const serverEvents = {
  /** A message of the receiver's or of their own other tabs. */
  getMessage: Message.extend({ senderId: Id, receiverId: Id }),
  /** Who of the receiver's friends is online: always the whole list. */
  getUsers: z.array(z.object({ userId: Id })),
  typing: z.object({ senderId: Id }),
  /** Someone has read up to a message: oneself in another tab, or a friend who shows it. */
  read: z.object({ conversationId: Id, userId: Id, messageId: Id }),
  /** A request between the receiver and somebody is now so; ask for the list. */
  friendRequest: z.object({
    requestId: Id,
    userIds: z.tuple([Id, Id]),
    status: z.enum(['pending', 'accepted', 'removed']),
  }),
  /** There is a new conversation; ask for the list. */
  conversation: z.object({ conversationId: Id, senderId: Id, receiverId: Id }),
  /** The receiver's new total, and what a challenge added to it: 0 where something was taken back. */
  points: z.object({ challengeId: Id, awarded: z.int().nonnegative(), points: z.int().nonnegative() }),
  /** Somebody's points changed: ask for what is shown of the leaderboard. At most one in two seconds. */
  leaderboard: z.object({}),
  /** The challenge that this tab watches was changed or deleted: ask for it. */
  challenge: z.object({ challengeId: Id }),
  /** What the receiver was told of changed: ask how many are unread, and for the list where it is shown. */
  notifications: z.object({}),
  /** Something may have been missed: ask for it, as after a new connection. */
  resync: z.object({}),
};
export type ServerEventName = keyof typeof serverEvents;

export type ServerEventData<N extends ServerEventName> = z.infer<(typeof serverEvents)[N]>;

/** The answer to what a client sent. */
export const Acknowledgement = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: ProblemDetails }),
]);
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** Typed maps for `Server` and `Socket` of socket.io and socket.io-client. */
export type ClientToServerEvents = {
  [N in ClientEventName]: (
    data: z.input<(typeof clientEvents)[N]>,
    acknowledge?: (answer: Acknowledgement) => void,
  ) => void;
};
export type ServerToClientEvents = { [N in ServerEventName]: (data: ServerEventData<N>) => void };
