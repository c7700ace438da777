import type { ServerEventData } from '@wayquest/contracts';
import type { ClusterBus, Subscription } from './cluster-bus.ts';
import { type ClientSocket, presentEvent, type SocketServer } from './socket-server.ts';

const roomOf = (challengeId: number): string => `challenge:${challengeId}`;

/** Returns a function by which a tab subscribes to the challenge that it shows: one at a time, or none (`null`). */
export function subscribeToChallenges(socket: ClientSocket, cluster: ClusterBus) {
  let current: { room: string; subscription: Subscription } | undefined;
  const unsubscribe = async () => {
    const previous = current;
    current = undefined;
    previous?.subscription.unsubscribe();
    if (previous) await socket.leave(previous.room);
  };
  socket.once('disconnect', unsubscribe);
  return async (challengeId: number | null): Promise<void> => {
    await unsubscribe();
    if (challengeId === null || !socket.connected) return;
    current = { room: roomOf(challengeId), subscription: cluster.subscribe('challenge', challengeId) };
    await Promise.all([socket.join(current.room), current.subscription.isSubscribedInTime]);
  };
}

/** Notifies this node's subscribers of a challenge that it was changed or deleted. */
export function notifySubscribers(
  io: SocketServer,
  { challengeId, deleted }: ServerEventData<'challenge'>,
): void {
  const change = presentEvent('challenge', { challengeId, deleted });
  io.local.to(roomOf(challengeId)).emit('challenge', change);
}
