import { z } from 'zod';
import { Message } from './chat.ts';
import { freeText, Id, IdText, ProblemDetails } from './primitives.ts';
import { textLimits } from './text.ts';

/** Events from clients. Each is acknowledged if the client asks for it. */
export const clientEvents = {
  /** The client's own user id (another is rejected); answered by `getUsers`. */
  addUser: z.union([Id, IdText]),
  /** Announces a message that was sent by POST /api/messages. It is validated and acknowledged, and creates nothing. */
  sendMessage: z.object({
    senderId: z.union([Id, IdText]),
    receiverId: z.union([Id, IdText]),
    text: freeText(textLimits.message).min(1, 'must not be empty'),
  }),
  /** Sent every few seconds while typing; expires at the receiver after five seconds. */
  typing: z.object({ receiverId: Id }),
  /** Subscribes this tab to `leaderboard` events, or unsubscribes it. */
  watchLeaderboard: z.boolean(),
  /** Subscribes this tab to `challenge` events of one challenge; null unsubscribes. */
  watchChallenge: Id.nullable(),
};
export type ClientEventName = keyof typeof clientEvents;

/** Events from the server. */
export const serverEvents = {
  /** A message to the receiver, or from another of their own tabs. */
  getMessage: Message.extend({ senderId: Id, receiverId: Id }),
  /** The receiver's friends who are online: always the whole list. */
  getUsers: z.array(z.object({ userId: Id })),
  /** A message was deleted by its sender, who may be the receiver in another tab. */
  messageDeleted: z.object({ conversationId: Id, messageId: Id }),
  typing: z.object({ senderId: Id }),
  /** Messages were read up to one, by the receiver in another tab or by a friend who shows it. */
  read: z.object({ conversationId: Id, userId: Id, messageId: Id }),
  /** A friend request of the receiver changed; reload the list. */
  friendRequest: z.object({
    requestId: Id,
    userIds: z.tuple([Id, Id]),
    status: z.enum(['pending', 'accepted', 'removed']),
  }),
  /** A new conversation; reload the list. */
  conversation: z.object({ conversationId: Id, senderId: Id, receiverId: Id }),
  /**
   * The receiver's new total, and the points of a challenge; 0 if points were revoked. May arrive out of order: the total of
   * the greatest version is the newest.
   */
  points: z.object({
    challengeId: Id,
    awarded: z.int().nonnegative(),
    points: z.int().nonnegative(),
    pointsVersion: z.int().nonnegative().optional(),
  }),
  /** The leaderboard changed; reload it. At most one in two seconds. */
  leaderboard: z.object({}),
  /** The subscribed challenge was changed, so that it has to be loaded again, or deleted. */
  challenge: z.object({ challengeId: Id, deleted: z.boolean().optional() }),
  /** The receiver's notifications changed; reload the unread count, and the list if it is shown. */
  notifications: z.object({}),
  /** Events may have been missed: reload everything, as after a reconnection. */
  resync: z.object({}),
};
export type ServerEventName = keyof typeof serverEvents;

export type ServerEventData<N extends ServerEventName> = z.infer<(typeof serverEvents)[N]>;

/** The acknowledgement of a client event. */
export const Acknowledgement = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: ProblemDetails }),
]);
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** Typed maps for `Server` and `Socket` of socket.io and socket.io-client. */
export type ClientToServerEvents = {
  [N in ClientEventName]: (
    data: z.input<(typeof clientEvents)[N]>,
    acknowledge?: (response: Acknowledgement) => void,
  ) => void;
};
export type ServerToClientEvents = { [N in ServerEventName]: (data: ServerEventData<N>) => void };
