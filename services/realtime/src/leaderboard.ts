import type { Logger } from '@wayquest/platform/telemetry';
import type { ClusterBus } from './cluster-bus.ts';
import { leaderboardRoom } from './rooms.ts';
import { presentEvent, type SocketServer } from './socket-server.ts';

/** However many points are awarded, nodes notify each other no more often than this … */
const broadcastEveryMs = 1_000;

/** … and subscribers are notified no more often than this. */
const notifyEveryMs = 2_000;

/** Throttles a callback: it runs once, `ms` after the first trigger. */
function throttled(ms: number, callback: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    trigger(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        callback();
      }, ms);
    },
    stop: (): void => clearTimeout(timer),
  };
}

/** Notifies the subscribers of the leaderboard on all nodes that it changed. */
export interface Leaderboard {
  /** Somebody's points changed. */
  onPointsChanged: () => void;
  /** A node has broadcast a change. */
  onChanged: () => void;
  stop(): void;
}

/** Creates the notifier that tells subscribers on all nodes when the leaderboard changes. */
export function createLeaderboard(io: SocketServer, cluster: ClusterBus, logger: Logger): Leaderboard {
  const broadcast = throttled(broadcastEveryMs, () => {
    cluster.broadcast([{ type: 'leaderboard' }]).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not publish a leaderboard change to other nodes');
    });
  });
  const notify = throttled(notifyEveryMs, () => {
    io.local.to(leaderboardRoom).emit('leaderboard', presentEvent('leaderboard', {}));
  });
  return {
    onPointsChanged: broadcast.trigger,
    onChanged: notify.trigger,
    stop(): void {
      broadcast.stop();
      notify.stop();
    },
  };
}
