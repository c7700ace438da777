import { realtimeMetrics } from './metrics.ts';
import { presentEvent, type SocketServer } from './socket-server.ts';

/** Asks every client of this node to reload what it may have missed, at random times within `spreadMs` milliseconds. */
export function resync(io: SocketServer, spreadMs: number): void {
  realtimeMetrics.resyncs.inc();
  for (const socket of io.sockets.sockets.values()) {
    setTimeout(() => socket.emit('resync', presentEvent('resync', {})), Math.random() * spreadMs);
  }
}
