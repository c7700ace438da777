/*
 * Rooms of tabs. In a cluster each is a channel of Redis, unless its name has 20 characters: then the adapter takes it for
 * the id of a socket, and its messages go to all nodes. With at most 16 digits of an id none of these has that many.
 */

/** The room of all tabs of a person. */
export const userRoom = (userId: number): string => `u:${userId}`;

const challengePrefix = 'c:';

/** The room of all tabs that show a challenge. */
export const challengeRoom = (challengeId: number): string => `${challengePrefix}${challengeId}`;

/** Whether a room is that of a challenge. */
export const isChallengeRoom = (room: string): boolean => room.startsWith(challengePrefix);

/** The room of all tabs that show the leaderboard. */
export const leaderboardRoom = 'leaderboard';
