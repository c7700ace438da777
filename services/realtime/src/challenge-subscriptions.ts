import type { ClusterBus, Subscription } from './cluster-bus.ts';
import { type ClientSocket, presentEvent, type SocketServer } from './socket-server.ts';

const roomOf = (challengeId: number): string => `challenge:${challengeId}`;

/** Returns a function by which a tab subscribes to the challenge that it shows: one at a time, or none (`null`). */
export function subscribeToChallenges(socket: ClientSocket, cluster: ClusterBus) {
  let watched: { room: string; subscription: Subscription } | undefined;
  const leave = async () => {
    const left = watched;
    watched = undefined;
    left?.subscription.end();
    if (left) await socket.leave(left.room);
  };
  socket.once('disconnect', leave);
  return async (challengeId: number | null): Promise<void> => {
    await leave();
    if (challengeId === null || !socket.connected) return;
    watched = { room: roomOf(challengeId), subscription: cluster.subscribe('challenge', challengeId) };
    await Promise.all([socket.join(watched.room), watched.subscription.inTime]);
  };
}

/** Notifies this node's subscribers of a challenge that it changed. */
export function notifySubscribers(io: SocketServer, challengeId: number): void {
  io.local.to(roomOf(challengeId)).emit('challenge', presentEvent('challenge', { challengeId }));
}
