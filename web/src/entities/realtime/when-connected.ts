import { delay, race, take } from 'redux-saga/effects';
import { connected, connectionLost } from './events.ts';

/** How long the first calls of a session wait for the socket, in milliseconds. */
export const connectTimeoutMs = 5_000;

/**
 * Waits until the socket is connected, or seems to be unavailable. Calls that are made afterwards need not be repeated:
 * no event can be missed between the response and the first event that is received.
 */
export function* whenConnected() {
  yield race([delay(connectTimeoutMs), take([connected.type, connectionLost.type])]);
}
