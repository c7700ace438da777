import { createAction } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import { type CallEffect, call, type PutEffect, put } from 'redux-saga/effects';
import { isEndOfSession, problemCodeOf, sentenceOf } from '../lib/errors.ts';
import type { Deps } from './deps.ts';

/** The server no longer accepts the token; the payload says why. */
export const sessionEnded = createAction<string>('session/ended');

/** Makes a call and returns its typed result. An invalid token ends the session; all errors are thrown. */
export function* request<R>(
  { api }: Deps,
  use: (client: Client) => Promise<R>,
): Generator<CallEffect<R> | PutEffect, R> {
  try {
    return yield call(async () => use(await api()));
  } catch (error) {
    if (isEndOfSession(problemCodeOf(error))) yield put(sessionEnded(sentenceOf(error)));
    throw error;
  }
}
