import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import { type CallEffect, call, type PutEffect, put } from 'redux-saga/effects';
import { isEndOfSession, problemCodeOf, sentenceOf } from '../lib/errors.ts';
import type { Deps } from './deps.ts';

/** The server no longer accepts the token; the payload says why. */
export const sessionEnded = createAction<string>('session/ended');

/** Something changed: resources of these operations are loaded again, and none is kept that is not shown. */
export const resourcesInvalidated = createAction<readonly string[]>('resource/invalidated');

/** Another session begins: nothing of the previous one may be shown. */
export const resourcesCleared = createAction('resource/cleared');

/**
 * Makes a call and returns its typed result. An invalid token ends the session; all errors are thrown. The signal is aborted when
 * the saga is canceled.
 */
export function* request<R>(
  { api }: Deps,
  use: (client: Client, signal: AbortSignal) => Promise<R>,
): Generator<CallEffect<R> | PutEffect, R> {
  const aborting = new AbortController();
  try {
    return yield call(async () => use(await api(), aborting.signal));
  } catch (error) {
    if (isEndOfSession(problemCodeOf(error))) yield put(sessionEnded(sentenceOf(error)));
    throw error;
  } finally {
    aborting.abort();
  }
}

/** Calls the server and dispatches the result: the response, or the error as a sentence. */
export function* requestSaga<R>(
  deps: Deps,
  use: (client: Client) => Promise<R>,
  received: (response: R) => UnknownAction,
  failed: (sentence: string) => UnknownAction,
) {
  try {
    yield put(received(yield* request(deps, use)));
  } catch (error) {
    yield put(failed(sentenceOf(error)));
  }
}
