import { limits } from '@wayquest/platform/core';
import { realtimeMetrics } from './metrics.ts';
import type { ClientSocket, SocketServer } from './socket-server.ts';

type Connection = ClientSocket['conn'];

/** More than any tab sends, since the socket events of all of a person's tabs together have a lower limit. */
const { max: maxPackets, seconds } = limits.socketPackets;
const windowMs = seconds * 1_000;

/** Socket.IO's packets begin with their type (its protocol, revision 5). */
const startsWith = (type: string, data: unknown): boolean =>
  typeof data === 'string' && data.startsWith(type);
const connectError = '4';

/**
 * Closes connections that behave unlike our client. After a rejected CONNECT packet a client has to open a new
 * connection, which the gateway counts, instead of retrying thousands of times on the same one. Too many packets close
 * it, too.
 */
export function guardConnections({ engine }: SocketServer): void {
  engine.on('connection', (connection: Connection) => {
    let packets = 0;
    let windowEnd = 0;

    connection.on('packet', () => {
      const now = Date.now();
      if (now > windowEnd) {
        packets = 0;
        windowEnd = now + windowMs;
      }
      packets += 1;
      if (packets <= maxPackets) return;
      realtimeMetrics.rejectedSockets.inc();
      connection.close(true);
    });
    connection.on('packetCreate', ({ type, data }: { type: string; data?: unknown }) => {
      // In the next turn, so that the rejection is sent: closing waits for writes that have started.
      if (type === 'message' && startsWith(connectError, data)) setImmediate(() => connection.close());
    });
  });
}
