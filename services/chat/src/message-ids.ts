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
