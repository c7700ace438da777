interface Pair {
  senderId: number;
  receiverId: number;
}

/** A conversation belongs to both who take part. */
export const ownersOf = ({ senderId, receiverId }: Pair): number[] => [senderId, receiverId];

/** The other one of a conversation. */
export const otherOf = ({ senderId, receiverId }: Pair, userId: number): number =>
  userId === senderId ? receiverId : senderId;
