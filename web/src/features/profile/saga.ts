import { call, fork, put, select, takeLeading } from 'redux-saga/effects';
import { selectUser, userReceived } from '../../entities/auth/slice.ts';
import { problemCodeOf, sentenceOf } from '../../shared/lib/errors.ts';
import {
  avatarShape,
  type PictureProblem,
  pictureProblemSentence,
  shrinkPicture,
} from '../../shared/lib/pictures.ts';
import { tellPasswordManagers } from '../../shared/lib/tell-password-managers.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import {
  type ProfileChange,
  passwordRequired,
  pictureChosen,
  pictureFailed,
  pictureSaved,
  profileFailed,
  profileSaved,
  profileSubmitted,
} from './slice.ts';
import { translate } from './translations.ts';

function* saveProfile(deps: Deps, body: ProfileChange) {
  try {
    const before: ReturnType<typeof selectUser> = yield select(selectUser);
    const me = yield* request(deps, (api) => api.updateMe({ body }));
    yield put(userReceived(me));
    if (before && before.username !== me.username)
      yield fork(tellPasswordManagers, ({ signalUsername }) => signalUsername(me.id, me.username));
    yield put(profileSaved());
    yield put(noticed({ text: translate('updated'), tone: 'good' }));
  } catch (error) {
    if (problemCodeOf(error) === 'password-required') yield put(passwordRequired());
    yield put(profileFailed(sentenceOf(error)));
  }
}

function* savePicture(deps: Deps, file: File) {
  try {
    const body: Blob | PictureProblem = yield call(shrinkPicture, file, avatarShape);
    if (typeof body === 'string') {
      yield put(pictureFailed(pictureProblemSentence(body)));
      return;
    }
    yield put(userReceived(yield* request(deps, (api) => api.updatePicture({ body }))));
    yield put(pictureSaved());
  } catch (error) {
    yield put(pictureFailed(sentenceOf(error)));
  }
}

/** The person's own page: their details and their picture. */
export function* profileSaga(deps: Deps) {
  yield takeLeading(profileSubmitted, ({ payload }) => saveProfile(deps, payload));
  yield takeLeading(pictureChosen, ({ meta }) => savePicture(deps, meta.arg));
}
