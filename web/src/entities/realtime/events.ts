import { createAction } from '@reduxjs/toolkit';
import type { ServerEventData } from '@wayquest/contracts';
import { delay, race, take } from 'redux-saga/effects';
import type { ClientEvent } from '../../shared/saga/deps.ts';

/** Messages of the socket. They are only the fast path: the state itself is loaded by calls. */
export const connected = createAction('realtime/connected');
export const connectionLost = createAction('realtime/connectionLost');
/** The connection is back, or was established so late that what was loaded meanwhile may be outdated. */
export const reconnected = createAction('realtime/reconnected');
/** Something may have been missed although the connection was open. */
export const resyncRequested = createAction('realtime/resyncRequested');
export const messageReceived = createAction<ServerEventData<'getMessage'>>('realtime/messageReceived');
export const messageDeleted = createAction<ServerEventData<'messageDeleted'>>('realtime/messageDeleted');
export const onlineChanged = createAction<ServerEventData<'getUsers'>>('realtime/onlineChanged');
export const typingReceived = createAction<ServerEventData<'typing'>>('realtime/typingReceived');
export const readReceived = createAction<ServerEventData<'read'>>('realtime/readReceived');
export const friendRequestChanged = createAction<ServerEventData<'friendRequest'>>(
  'realtime/friendRequestChanged',
);
export const conversationCreated = createAction<ServerEventData<'conversation'>>(
  'realtime/conversationCreated',
);
export const pointsChanged = createAction<ServerEventData<'points'>>('realtime/pointsChanged');
/** Somebody's points changed. */
export const leaderboardChanged = createAction('realtime/leaderboardChanged');

/** The person's notifications changed. */
export const notificationsChanged = createAction('realtime/notificationsChanged');

/** The open challenge was changed or deleted. */
export const challengeChanged = createAction<ServerEventData<'challenge'>>('realtime/challengeChanged');

/** After each of these, reload what may have been missed. */
export const afterGap = [reconnected.type, resyncRequested.type];

/** An event to be sent over the socket. */
export const emitted = createAction<ClientEvent>('realtime/emitted');

/** How long the first calls of a session wait for the socket, in milliseconds. */
export const connectTimeoutMs = 5_000;

/**
 * Waits until the socket is connected, or seems to be unavailable. Calls that are made afterwards need not be repeated:
 * no event can be missed between the response and the first event that is received.
 */
export function* whenConnected() {
  yield race([delay(connectTimeoutMs), take([connected.type, connectionLost.type])]);
}
