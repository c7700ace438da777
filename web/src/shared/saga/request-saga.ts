import type { UnknownAction } from '@reduxjs/toolkit';
import type { Client } from '@wayquest/contracts';
import { put } from 'redux-saga/effects';
import { sentenceOf } from '../lib/errors.ts';
import type { Deps } from './deps.ts';
import { request } from './request.ts';

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
