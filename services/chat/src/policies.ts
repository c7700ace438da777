interface Pair {
  senderId: number;
  receiverId: number;
}

/** A conversation belongs to both who take part. */
export const ownersOf = ({ senderId, receiverId }: Pair): number[] => [senderId, receiverId];

/** Whether one may go on writing: as long as one likes to who has written, and some to who has not. */
export const mayWriteMore = ({ own, others, most }: { own: number; others: number; most: number }): boolean =>
  others > 0 || own < most;

/** The other one of a conversation. */
export const otherOf = ({ senderId, receiverId }: Pair, userId: number): number =>
  userId === senderId ? receiverId : senderId;
