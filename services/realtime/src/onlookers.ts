import { type ClientSocket, presentEvent, type SocketServer } from './socket-server.ts';

const prefix = 'challenge:';

const roomOf = (challengeId: number): string => prefix + challengeId;

/** A tab shows one challenge at a time. */
export async function watch(socket: ClientSocket, challengeId: number | null): Promise<void> {
  for (const room of socket.rooms) if (room.startsWith(prefix)) await socket.leave(room);
  if (challengeId !== null) await socket.join(roomOf(challengeId));
}

/** Tells this node's onlookers of a challenge that it is not as it was. */
export function tellOnlookers(io: SocketServer, challengeId: number): void {
  io.local.to(roomOf(challengeId)).emit('challenge', presentEvent('challenge', { challengeId }));
}
