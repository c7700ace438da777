import type { Logger } from '@wayquest/platform/telemetry';
import type { Nodes } from './cluster-bus.ts';
import { presentEvent, type SocketServer } from './socket-server.ts';

/** All tabs of this node that show the leaderboard. */
export const leaderboardRoom = 'leaderboard';

/** However many points are awarded, the nodes tell each other no more often than this … */
const tellNodesEveryMs = 1_000;

/** … and whoever looks asks again no more often than this. */
const tellEveryMs = 2_000;

/** Does it once, a while after the first of those who ask for it meanwhile. */
function gathered(ms: number, act: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    ask(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, ms);
    },
    stop: (): void => clearTimeout(timer),
  };
}

/** Tells the onlookers of the leaderboard, on all nodes, that it has moved. */
export function createLeaderboard(io: SocketServer, nodes: Nodes, logger: Logger) {
  const told = gathered(tellNodesEveryMs, () => {
    nodes.tell({ about: 'leaderboard' }).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not publish a leaderboard change to other nodes');
    });
  });
  const shown = gathered(tellEveryMs, () => {
    io.local.to(leaderboardRoom).emit('leaderboard', presentEvent('leaderboard', {}));
  });
  return {
    /** Somebody has been awarded points. */
    awarded: told.ask,
    /** A node says so. */
    moved: shown.ask,
    stop(): void {
      told.stop();
      shown.stop();
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
