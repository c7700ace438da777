import { put, takeLatest } from 'redux-saga/effects';
import { sentenceOf } from '../../shared/lib/errors.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import {
  settingsFailed,
  settingsReceived,
  settingsRequested,
  viewFailed,
  viewReceived,
  viewSearched,
} from './slice.ts';

/** As many challenges as a view holds one by one. */
const most = 500;

/** Closer than this nothing is grouped (spec, section 9). */
const mostClusteredZoom = 16;

function* loadSettings(deps: Deps) {
  try {
    yield put(settingsReceived(yield* request(deps, (api) => api.getSettings())));
  } catch {
    yield put(settingsFailed());
  }
}

function* searchView(deps: Deps, { payload }: ReturnType<typeof viewSearched>) {
  const { west, south, east, north } = payload.box;
  const { difficulty, open, joined, search } = payload.filters;
  const query = {
    scope: joined ? 'joined' : 'all',
    bbox: [west, south, east, north].map((degrees) => degrees.toFixed(6)).join(),
    ...(difficulty && { difficulty }),
    ...(open && { open: 'true' as const }),
    ...(search.trim() && { search: search.trim() }),
  } as const;
  try {
    const challenges = yield* request(deps, (api) =>
      api.listChallenges({ query: { ...query, limit: String(most) } }),
    );
    const clusters =
      challenges.length < most || payload.zoom > mostClusteredZoom
        ? []
        : yield* request(deps, (api) =>
            api.listChallengeClusters({ query: { ...query, zoom: String(payload.zoom) } }),
          );
    yield put(viewReceived({ challenges, clusters }));
  } catch (error) {
    yield put(viewFailed(sentenceOf(error)));
  }
}

/** What the map needs of the server: how it was set up, and the challenges of a view. */
export function* exploreSaga(deps: Deps) {
  yield takeLatest(settingsRequested.type, loadSettings, deps);
  yield takeLatest(viewSearched, searchView, deps);
}
