import { all, call } from 'redux-saga/effects';
import { whileAuthenticated } from '../../entities/auth/while-authenticated.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { draftsSession } from './drafts-saga.ts';
import { unsentSession } from './outgoing-queue-saga.ts';
import { preferencesSession } from './preferences-saga.ts';
import { readMarksSession } from './read-marks-saga.ts';
import { sendingSession } from './sending-saga.ts';
import { threadsSession } from './threads-saga.ts';
import { typingSession } from './typing-saga.ts';

const sessions = [
  readMarksSession,
  threadsSession,
  sendingSession,
  typingSession,
  draftsSession,
  preferencesSession,
  unsentSession,
];

function* converse(deps: Deps, userId: number) {
  yield all(sessions.map((session) => call(session, deps, userId)));
}

/** The messenger, from login to logout. */
export function* messengerSaga(deps: Deps) {
  yield* whileAuthenticated(deps, converse);
}
