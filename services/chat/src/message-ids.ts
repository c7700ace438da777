/**
 * A message's id is its conversation's id followed by its place in the conversation (seven digits). Places are
 * taken one after the other, each by inserting under the id that follows the last one: ids have no gaps, and whoever
 * sees a message can see all before it, which ids handed out in advance would not give.
 */
const placesEach = 10_000_000;

/** The id before a conversation's first message. */
export const beforeFirst = (conversationId: number): number => conversationId * placesEach;

/** The id after the last that a conversation can have. */
export const afterLast = (conversationId: number): number => (conversationId + 1) * placesEach;

/** How many messages there are in a conversation up to one of them, itself included. */
const placeOf = (id: number): number => id % placesEach;

/** A message as far as it tells how many each of the two has sent. */
export interface Numbered {
  messageId: number;
  sender: number;
  /** The sender's how-manieth in the conversation. */
  nth: number;
}

/** How many messages somebody has sent up to one of the conversation, itself included. */
export const sentBy = (userId: number, { messageId, sender, nth }: Numbered): number =>
  sender === userId ? nth : placeOf(messageId) - nth;
