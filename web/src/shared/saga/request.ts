import { createAction } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import { type CallEffect, call, type PutEffect, put } from 'redux-saga/effects';
import { isEndOfSession, problemCodeOf, sentenceOf } from '../lib/errors.ts';
import type { Deps } from './deps.ts';

/** The server no longer takes our token; says why. */
export const sessionEnded = createAction<string>('session/ended');

/** Makes a call and returns its typed result. An expired token ends the session; every error is thrown on. */
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
