/**
 * A message's id is its conversation's id followed by its position in the conversation (seven digits). Each position is
 * taken by inserting under the id after the last one: ids have no gaps, and whoever sees a message can see all before
 * it, which reserved ids would not guarantee.
 */
const maxMessagesPerConversation = 10_000_000;

/** The id before a conversation's first message. */
export const lowerBound = (conversationId: number): number => conversationId * maxMessagesPerConversation;

/** The id after the last that a conversation can have. */
export const upperBound = (conversationId: number): number =>
  (conversationId + 1) * maxMessagesPerConversation;

/** The number of messages of a conversation up to and including one of them. */
const positionOf = (id: number): number => id % maxMessagesPerConversation;

/** The fields of a message from which the number of each person's messages follows. */
export interface SequencedMessage {
  messageId: number;
  sender: number;
  /** Its number among the sender's messages in the conversation. */
  senderSequence: number;
}

/** The number of somebody's messages up to and including one of the conversation. */
export const sentCountOf = (
  userId: number,
  { messageId, sender, senderSequence }: SequencedMessage,
): number => (sender === userId ? senderSequence : positionOf(messageId) - senderSequence);
