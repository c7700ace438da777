import type { Hearing, Nodes } from './cluster-bus.ts';
import { type ClientSocket, presentEvent, type SocketServer } from './socket-server.ts';

const roomOf = (challengeId: number): string => `challenge:${challengeId}`;

/** Answers how a tab says which challenge it shows: one at a time, or none. */
export function createOnlooker(socket: ClientSocket, nodes: Nodes) {
  let watched: { room: string; hearing: Hearing } | undefined;
  const leave = async () => {
    const left = watched;
    watched = undefined;
    left?.hearing.end();
    if (left) await socket.leave(left.room);
  };
  socket.once('disconnect', leave);
  return async (challengeId: number | null): Promise<void> => {
    await leave();
    if (challengeId === null || !socket.connected) return;
    watched = { room: roomOf(challengeId), hearing: nodes.hear('challenge', challengeId) };
    await Promise.all([socket.join(watched.room), watched.hearing.inTime]);
  };
}

/** Tells this node's onlookers of a challenge that it is not as it was. */
export function notifySubscribers(io: SocketServer, challengeId: number): void {
  io.local.to(roomOf(challengeId)).emit('challenge', presentEvent('challenge', { challengeId }));
}
