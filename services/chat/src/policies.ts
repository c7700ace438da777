import type { Caller } from '@wayquest/platform';

interface Pair {
  senderId: number;
  receiverId: number;
}

export const takesPart = ({ id }: Pick<Caller, 'id'>, { senderId, receiverId }: Pair): boolean =>
  id === senderId || id === receiverId;

/** The other one of a conversation. */
export const otherOf = ({ senderId, receiverId }: Pair, userId: number): number =>
  userId === senderId ? receiverId : senderId;
