import {
  asProblem,
  type ClientToServerEvents,
  problemSentence,
  type ServerToClientEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { io, type Socket } from 'socket.io-client';
import { isEndOfSession } from '../../shared/lib/errors.ts';
import type { OpenSocket } from '../../shared/saga/deps.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import {
  challengeChanged,
  connected,
  connectionLost,
  conversationCreated,
  friendRequestChanged,
  leaderboardChanged,
  messageDeleted,
  messageReceived,
  notificationsChanged,
  onlineChanged,
  pointsChanged,
  readReceived,
  resyncRequested,
  typingReceived,
} from './events.ts';

type Emit = Parameters<OpenSocket>[1];
type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

function listen(socket: ServerSocket, emit: Emit) {
  socket.on('getMessage', (data) => emit(messageReceived(data)));
  socket.on('messageDeleted', (data) => emit(messageDeleted(data)));
  socket.on('getUsers', (data) => emit(onlineChanged(data)));
  socket.on('typing', (data) => emit(typingReceived(data)));
  socket.on('read', (data) => emit(readReceived(data)));
  socket.on('friendRequest', (data) => emit(friendRequestChanged(data)));
  socket.on('conversation', (data) => emit(conversationCreated(data)));
  socket.on('points', (data) => emit(pointsChanged(data)));
  socket.on('leaderboard', () => emit(leaderboardChanged()));
  socket.on('challenge', (data) => emit(challengeChanged(data)));
  socket.on('notifications', () => emit(notificationsChanged()));
  socket.on('resync', () => emit(resyncRequested()));
}

/** Reconnects after a rejection, when socket.io gives up; only an invalid session is a reason to do so. */
function reconnectAfterRejection(socket: ServerSocket, emit: Emit) {
  const { reconnectionDelay, reconnectionDelayMax } = socketClientOptions;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleRetry = () => {
    const spread = Math.random() * (reconnectionDelayMax - reconnectionDelay);
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), reconnectionDelay + spread);
  };
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    emit(connectionLost());
    // A proxy may swallow WebSockets without a response, which the client cannot detect: then polling goes first.
    if (error.message === 'timeout') socket.io.opts.transports?.reverse();
    const problem = asProblem(error.data);
    if (problem && isEndOfSession(problem.code)) emit(sessionEnded(problemSentence(problem)));
    else if (!socket.active) scheduleRetry();
  });
  socket.on('disconnect', (reason) => {
    emit(connectionLost());
    if (reason === 'io server disconnect') scheduleRetry();
  });
  return () => clearTimeout(timer);
}

/** Follows the browser's online and offline events, instead of waiting for a timeout. */
function trackNetwork(socket: ServerSocket) {
  const onOffline = () => socket.io.engine?.close();
  const onOnline = () => {
    if (!socket.connected) socket.disconnect().connect();
  };
  addEventListener('offline', onOffline);
  addEventListener('online', onOnline);
  return () => {
    removeEventListener('offline', onOffline);
    removeEventListener('online', onOnline);
  };
}

/** Opens the Socket.IO connection. */
export const openSocket: OpenSocket = (token, emit) => {
  const socket: ServerSocket = io({
    ...socketClientOptions,
    transports: [...socketClientOptions.transports],
    forceNew: true,
    auth: (send) => send({ token: token() }),
  });
  socket.on('connect', () => emit(connected()));
  listen(socket, emit);
  const stops = [reconnectAfterRejection(socket, emit), trackNetwork(socket)];
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
