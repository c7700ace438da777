import { ProblemDetails, problemSentence, serverEvents, socketClientOptions } from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import type { OpenSocket } from '../../shared/lib/socket.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import {
  challengeMoved,
  connected,
  connectionLost,
  conversationAppeared,
  friendRequestChanged,
  leaderboardMoved,
  messageArrived,
  onlineChanged,
  pointsChanged,
  readHeard,
  resyncAsked,
  typingHeard,
} from './events.ts';

type Tell = Parameters<OpenSocket>[1];
type Schema<T> = { safeParse(data: unknown): { success: true; data: T } | { success: false } };

/** Tells what the server sends; what does not hold to the contract is left out. */
function listen(socket: Socket, tell: Tell) {
  const hear = <T>(name: string, schema: Schema<T>, toAction: (data: T) => Parameters<Tell>[0]) =>
    socket.on(name, (data: unknown) => {
      const parsed = schema.safeParse(data);
      if (parsed.success) tell(toAction(parsed.data));
    });
  hear('getMessage', serverEvents.getMessage, messageArrived);
  hear('getUsers', serverEvents.getUsers, onlineChanged);
  hear('typing', serverEvents.typing, typingHeard);
  hear('read', serverEvents.read, readHeard);
  hear('friendRequest', serverEvents.friendRequest, friendRequestChanged);
  hear('conversation', serverEvents.conversation, conversationAppeared);
  hear('points', serverEvents.points, pointsChanged);
  hear('leaderboard', serverEvents.leaderboard, () => leaderboardMoved());
  hear('challenge', serverEvents.challenge, challengeMoved);
  hear('resync', serverEvents.resync, () => resyncAsked());
}

/** socket.io gives up when the server turns a connection away; only a token that has ended is a reason to. */
function keepTrying(socket: Socket, tell: Tell) {
  const { reconnectionDelay, reconnectionDelayMax } = socketClientOptions;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryLater = () => {
    const spread = Math.random() * (reconnectionDelayMax - reconnectionDelay);
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), reconnectionDelay + spread);
  };
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    tell(connectionLost());
    const problem = ProblemDetails.safeParse(error.data);
    if (problem.data?.code === 'invalid-token') tell(sessionEnded(problemSentence(problem.data)));
    else if (!socket.active) tryLater();
  });
  socket.on('disconnect', (reason) => {
    tell(connectionLost());
    if (reason === 'io server disconnect') tryLater();
  });
  return () => clearTimeout(timer);
}

/** Takes the browser's word for having lost or found the network, instead of waiting for a timeout. */
function followNetwork(socket: Socket) {
  const lost = () => socket.io.engine?.close();
  const found = () => {
    if (!socket.connected) socket.disconnect().connect();
  };
  addEventListener('offline', lost);
  addEventListener('online', found);
  return () => {
    removeEventListener('offline', lost);
    removeEventListener('online', found);
  };
}

/** The socket of socket.io, as the contract describes it. */
export const openSocket: OpenSocket = (token, tell) => {
  const socket = io({
    ...socketClientOptions,
    forceNew: true,
    auth: (send) => send({ token: token() }),
  });
  socket.on('connect', () => tell(connected()));
  listen(socket, tell);
  const stops = [keepTrying(socket, tell), followNetwork(socket)];
  return {
    // Volatile: what could not be said at its moment is not worth saying later.
    emit: ({ name, data }) => void socket.volatile.emit(name, data),
    close() {
      for (const stop of stops) stop();
      socket.off();
      socket.disconnect();
    },
  };
};
