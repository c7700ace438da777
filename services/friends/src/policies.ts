import type { Caller } from '@wayquest/platform';

type Who = Pick<Caller, 'id'>;

interface Request {
  userId: number;
  friendId: number;
}

/** Only who was asked can say yes. */
export const canAccept = ({ id }: Who, { friendId }: Request): boolean => id === friendId;

/** Decline, cancel or unfriend: either side. */
export const canRemove = ({ id }: Who, { userId, friendId }: Request): boolean =>
  id === userId || id === friendId;
