import { put, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { viewFailed, viewReceived, viewSearched } from './slice.ts';

function* searchView(deps: Deps, { payload }: ReturnType<typeof viewSearched>) {
  const { near } = payload;
  const { west, south, east, north } = payload.box;
  const { difficulty, open, joined, search } = payload.filters;
  const query = {
    scope: joined ? 'joined' : 'all',
    bbox: [west, south, east, north].map((degrees) => degrees.toFixed(6)).join(),
    ...(difficulty && { difficulty }),
    ...(open && { open: 'true' as const }),
    ...(search.trim() && { search: search.trim() }),
    // Three decimals are about a hundred meters.
    ...(near && { near: `${near.lat.toFixed(3)},${near.lng.toFixed(3)}` }),
    zoom: String(Math.floor(payload.zoom)),
  } as const;
  try {
    yield put(viewReceived(yield* request(deps, (api) => api.viewChallenges({ query }))));
  } catch (error) {
    yield put(viewFailed(sentenceOf(error)));
  }
}

/** The challenges of a view of the map. */
export function* exploreSaga(deps: Deps) {
  yield takeLatest(viewSearched, searchView, deps);
}
