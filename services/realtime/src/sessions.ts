import type { ServiceKit } from '@wayquest/platform/service';
import { realtimeMetrics } from './metrics.ts';
import { type ClientSocket, type SocketServer, userRoom } from './socket-server.ts';

/** Interval of a check for expired tokens, and for revocations of which a message was lost. */
const checkEveryMs = 30_000;

/** Disconnects sockets whose token expired or was revoked. */
export function createSessions({
  io,
  kit: { guard, revocations, logger },
}: {
  io: SocketServer;
  kit: Pick<ServiceKit, 'guard' | 'revocations' | 'logger'>;
}) {
  let checkTimer: NodeJS.Timeout | undefined;

  const check = async (sockets: Iterable<ClientSocket>): Promise<void> => {
    try {
      const all = [...sockets].map((socket) => ({ socket, claims: socket.data.caller.claims }));
      const revoked = await revocations.filterRevoked(all.map(({ claims }) => claims));
      for (const { socket, claims } of all) {
        if (claims.exp * 1_000 > Date.now() && !revoked.has(claims)) continue;
        realtimeMetrics.rejectedSockets.inc();
        socket.disconnect(true);
      }
    } catch (error) {
      logger.warn({ err: error }, 'token check failed');
    }
  };

  return {
    async recheck(userId: number): Promise<void> {
      guard.invalidate({ userId, tokenId: null });
      const ids = io.sockets.adapter.rooms.get(userRoom(userId)) ?? [];
      await check([...ids].flatMap((id) => io.sockets.sockets.get(id) ?? []));
    },

    start(): void {
      checkTimer = setInterval(() => void check(io.sockets.sockets.values()), checkEveryMs);
    },

    stop(): void {
      clearInterval(checkTimer);
    },
  };
}
