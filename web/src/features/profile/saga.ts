import type { Client, Me } from '@wayquest/contracts';
import { put, takeLeading } from 'redux-saga/effects';
import { userReceived } from '../../entities/auth/slice.ts';
import { sentenceOf } from '../../shared/lib/errors.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { pictureChosen, profileFailed, profileSaved, profileSubmitted } from './slice.ts';

function* save(deps: Deps, change: (client: Client) => Promise<Me>, sentence: string) {
  try {
    yield put(userReceived(yield* request(deps, change)));
    yield put(profileSaved());
    yield put(noticed({ text: sentence, tone: 'good' }));
  } catch (error) {
    yield put(profileFailed(sentenceOf(error)));
  }
}

/** The person's own page: their details and their picture. */
export function* profileSaga(deps: Deps) {
  yield takeLeading(profileSubmitted, ({ payload }) =>
    save(deps, (api) => api.updateMe({ body: payload }), 'Your profile is up to date.'),
  );
  yield takeLeading(pictureChosen, ({ meta }) =>
    save(deps, (api) => api.updatePicture({ body: meta.arg }), 'That is you from now on.'),
  );
}
