/** Where all of a person's tabs are. */
export const userRoom = (userId: number): string => `user:${userId}`;
