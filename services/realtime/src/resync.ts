import { realtimeMetrics } from './metrics.ts';
import { presentEvent, type SocketServer } from './socket-server.ts';

/** Tells every client of this node to ask for what it may have missed, spread so that they do not all ask at once. */
export function resync(io: SocketServer, spreadMs: number): void {
  realtimeMetrics.resyncs.inc();
  for (const socket of io.sockets.sockets.values()) {
    setTimeout(() => socket.emit('resync', presentEvent('resync', {})), Math.random() * spreadMs);
  }
}
