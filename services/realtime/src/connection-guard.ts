import { realtimeMetrics } from './metrics.ts';
import type { ClientSocket, SocketServer } from './socket-server.ts';

type Connection = ClientSocket['conn'];

/** More than any tab has to say: what people do is limited to 100 events in ten seconds for all their tabs together. */
const maxPackets = 200;
const windowMs = 10_000;

/** Socket.IO's packets begin with their type (its protocol, revision 5). */
const startsWith = (type: string, data: unknown): boolean =>
  typeof data === 'string' && data.startsWith(type);
const connectError = '4';

/**
 * Closes connections that no client of ours would make: whoever was refused may ask again on a new one, which the gateway
 * counts, but not thousands of times on the same; and nobody says so much.
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
      // In a moment, when the refusal is on its way: closing waits for what was begun.
      if (type === 'message' && startsWith(connectError, data)) setImmediate(() => connection.close());
    });
  });
}
