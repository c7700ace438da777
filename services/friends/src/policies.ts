interface Request {
  userId: number;
  friendId: number;
}

/** Only who was asked can say yes. */
export const whoAccepts = ({ friendId }: Pick<Request, 'friendId'>): number[] => [friendId];

/** Decline, cancel or unfriend: either side. */
export const whoRemoves = ({ userId, friendId }: Request): number[] => [userId, friendId];
