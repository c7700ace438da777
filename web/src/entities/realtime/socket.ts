import {
  asProblem,
  type ClientToServerEvents,
  problemSentence,
  type ServerToClientEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import { isEndOfSession } from '../../shared/lib/errors.ts';
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
  notificationsChanged,
  onlineChanged,
  pointsChanged,
  readHeard,
  resyncAsked,
  typingHeard,
} from './events.ts';

type Tell = Parameters<OpenSocket>[1];
type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

function listen(socket: ServerSocket, tell: Tell) {
  socket.on('getMessage', (data) => tell(messageArrived(data)));
  socket.on('getUsers', (data) => tell(onlineChanged(data)));
  socket.on('typing', (data) => tell(typingHeard(data)));
  socket.on('read', (data) => tell(readHeard(data)));
  socket.on('friendRequest', (data) => tell(friendRequestChanged(data)));
  socket.on('conversation', (data) => tell(conversationAppeared(data)));
  socket.on('points', (data) => tell(pointsChanged(data)));
  socket.on('leaderboard', () => tell(leaderboardMoved()));
  socket.on('challenge', (data) => tell(challengeMoved(data)));
  socket.on('notifications', () => tell(notificationsChanged()));
  socket.on('resync', () => tell(resyncAsked()));
}

/** Reconnects after a rejection, when socket.io gives up; only an invalid session is a reason to do so. */
function keepTrying(socket: ServerSocket, tell: Tell) {
  const { reconnectionDelay, reconnectionDelayMax } = socketClientOptions;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tryLater = () => {
    const spread = Math.random() * (reconnectionDelayMax - reconnectionDelay);
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), reconnectionDelay + spread);
  };
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    tell(connectionLost());
    // A proxy may swallow WebSockets without a response, which the client cannot detect: then polling goes first.
    if (error.message === 'timeout') socket.io.opts.transports?.reverse();
    const problem = asProblem(error.data);
    if (problem && isEndOfSession(problem.code)) tell(sessionEnded(problemSentence(problem)));
    else if (!socket.active) tryLater();
  });
  socket.on('disconnect', (reason) => {
    tell(connectionLost());
    if (reason === 'io server disconnect') tryLater();
  });
  return () => clearTimeout(timer);
}

/** Follows the browser's online and offline events, instead of waiting for a timeout. */
function followNetwork(socket: ServerSocket) {
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

/** Opens the Socket.IO connection. */
export const openSocket: OpenSocket = (token, tell) => {
  const socket: ServerSocket = io({
    ...socketClientOptions,
    transports: [...socketClientOptions.transports],
    forceNew: true,
    auth: (send) => send({ token: token() }),
  });
  socket.on('connect', () => tell(connected()));
  listen(socket, tell);
  const stops = [keepTrying(socket, tell), followNetwork(socket)];
  return {
    // An event that cannot be sent now is dropped. Not `volatile`, which also drops events while a polling request is
    // in progress.
    emit({ name, data }) {
      if (socket.connected) socket.emit(name, data);
    },
    close() {
      for (const stop of stops) stop();
      socket.off();
      socket.disconnect();
    },
  };
};
