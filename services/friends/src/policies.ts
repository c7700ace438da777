interface Request {
  userId: number;
  friendId: number;
}

/** Only the recipient can accept a request. */
export const acceptersOf = ({ friendId }: Pick<Request, 'friendId'>): number[] => [friendId];

/** Either side can decline, cancel or unfriend. */
export const removersOf = ({ userId, friendId }: Request): number[] => [userId, friendId];
