interface Pair {
  senderId: number;
  receiverId: number;
}

/** A conversation belongs to both of its people. */
export const ownersOf = ({ senderId, receiverId }: Pair): number[] => [senderId, receiverId];

/** Whether somebody may send more: without a limit after a reply, and up to `max` messages before. */
export const maySend = ({ own, others, max }: { own: number; others: number; max: number }): boolean =>
  others > 0 || own < max;

/** The other person of a conversation. */
export const otherOf = ({ senderId, receiverId }: Pair, userId: number): number =>
  userId === senderId ? receiverId : senderId;
