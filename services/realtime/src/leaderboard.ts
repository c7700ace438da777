import { presentEvent, type SocketServer } from './socket-server.ts';

/** All tabs of this node that show the leaderboard. */
export const leaderboardRoom = 'leaderboard';

/** However many points are awarded, whoever looks asks again no more often than this. */
const tellEveryMs = 2_000;

/** Tells this node's onlookers of the leaderboard that it has moved. */
export function createLeaderboard(io: SocketServer) {
  let timer: NodeJS.Timeout | undefined;
  return {
    moved(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        io.local.to(leaderboardRoom).emit('leaderboard', presentEvent('leaderboard', {}));
      }, tellEveryMs);
    },
    stop: (): void => clearTimeout(timer),
  };
}
