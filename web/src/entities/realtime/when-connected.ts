import { delay, race, take } from 'redux-saga/effects';
import { connected, connectionLost } from './events.ts';

/** How long the first questions of a session wait for the socket. */
export const startPatience = 5_000;

/**
 * Waits until the socket listens, or does not seem to: what is asked for then need not be asked for again, since nothing
 * can have happened between the answer and the first that is heard.
 */
export function* whenConnected() {
  yield race([delay(startPatience), take([connected.type, connectionLost.type])]);
}
