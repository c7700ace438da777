import type { Action, UnknownAction } from '@reduxjs/toolkit';
import { buffers, eventChannel } from 'redux-saga';
import { call, delay, put, race, take, takeEvery } from 'redux-saga/effects';
import type { ClientEvent, Deps, LiveSocket, OpenSocket } from '../../shared/saga/deps.ts';
import { resourcesInvalidated } from '../../shared/saga/request.ts';
import { pointsReceived } from '../auth/slice.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import {
  connected,
  connectionLost,
  connectTimeoutMs,
  emitted,
  pointsChanged,
  reconnected,
  typingReceived,
} from './events.ts';
import { typingExpired } from './slice.ts';

/** How long somebody is shown as typing after the last message about it. */
const typingTimeoutMs = 5_000;

function* expireTyping({ payload: { senderId } }: ReturnType<typeof typingReceived>) {
  const again = (action: Action) => typingReceived.match(action) && action.payload.senderId === senderId;
  const { renewed }: { renewed?: unknown } = yield race({
    expired: delay(typingTimeoutMs),
    renewed: take(again),
  });
  if (!renewed) yield put(typingExpired(senderId));
}

/** The socket as a channel of its messages; closing the channel closes the socket. */
function socketChannel(open: OpenSocket, token: () => string | null) {
  let socket: LiveSocket | undefined;
  const channel = eventChannel<UnknownAction>((emitAction) => {
    const opened = open(token, emitAction);
    socket = opened;
    return () => opened.close();
  }, buffers.expanding());
  return { channel, emit: (event: ClientEvent) => socket?.emit(event) };
}

function* listen(deps: Deps, userId: number) {
  const begun = Date.now();
  /** Whether calls may have been made before the socket was connected. */
  let mayHaveMissed = false;
  const open: OpenSocket = yield call(deps.socket);
  const { channel, emit } = socketChannel(open, () => deps.tokens.read());
  try {
    yield takeEvery(emitted, ({ payload }) => emit(payload));
    yield takeEvery(typingReceived, expireTyping);
    for (;;) {
      const event: UnknownAction = yield take(channel);
      if (connected.match(event)) emit({ name: 'addUser', data: userId });
      if (pointsChanged.match(event)) {
        yield put(pointsReceived(event.payload));
        yield put(resourcesInvalidated(['getLeaderboard']));
      }
      yield put(event);
      // Calls that wait for the connection (`whenConnected`) may have started to wait a moment earlier.
      mayHaveMissed ||= Date.now() - begun > connectTimeoutMs - 500;
      if (connected.match(event) && mayHaveMissed) yield put(reconnected());
      mayHaveMissed ||= connected.match(event) || connectionLost.match(event);
    }
  } finally {
    channel.close();
  }
}

/** The socket: open while somebody is logged in. */
export function* realtimeSaga(deps: Deps) {
  yield* whileAuthenticated(deps, listen);
}
