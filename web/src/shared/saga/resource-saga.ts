import type { Action } from '@reduxjs/toolkit';
import type { OperationName } from '@wayquest/contracts';
import { call, delay, put, race, select, take, takeEvery, takeLatest } from 'redux-saga/effects';
import { isRejected, sentenceOf } from '../lib/errors.ts';
import type { Deps } from './deps.ts';
import { registerSagas, sagaStarted } from './feature-sagas.ts';
import { pageOf } from './page-of.ts';
import { request, resourcesCleared, resourcesInvalidated } from './request.ts';
import {
  type Address,
  type Entry,
  type Part,
  type Result,
  resourceAsked,
  resourceDropped,
  resourceFailed,
  resourceLoaded,
  resourceReleased,
  resourceRequested,
  selectResource,
} from './resources.ts';

/** How long a resource is kept after the last component that shows it, in milliseconds. */
const keepMs = 10_000;

/** Loads a resource, as many pages of it as are shown, or its next page. */
function* load<N extends OperationName>(deps: Deps, { after, ...address }: Part<N>) {
  const { operation, input, key } = address;
  const entry: Entry<unknown> | undefined = yield select(selectResource, operation, key);
  const count = after ? 1 : entry?.pages.length;
  const pages: Result<N>[] = [];
  let next = after ?? null;
  try {
    do {
      const cursor = next ?? '';
      const page = yield* request(deps, (api, signal) =>
        pageOf<Result<N>>((options) => api[operation](input, { ...options, signal, cursor })),
      );
      pages.push(page.data);
      next = page.next;
    } while (next && pages.length < (count ?? 1));
    yield put(resourceLoaded({ ...address, after, pages, next }));
  } catch (error) {
    yield put(resourceFailed({ ...address, after, error: sentenceOf(error), isRejected: isRejected(error) }));
  }
}

/** Actions about one resource. */
const about =
  ({ key }: Address, { match }: typeof resourceAsked) =>
  (action: Action) =>
    match(action) && action.payload.key === key;

/** Waits until all components that show a resource have released it. */
function* untilReleased(address: Address) {
  const asked = about(address, resourceAsked);
  for (let shown = 1; shown > 0; ) {
    const action: Action = yield take([asked, about(address, resourceReleased)]);
    shown += asked(action) ? 1 : -1;
    if (shown > 0) continue;
    // What replaces a component may ask for the same in the same moment.
    const { again } = yield race({ again: take(asked), moment: delay(0) });
    if (again) shown = 1;
  }
}

/** Loads a resource while a component shows it, and keeps it for a short time after; a call that nobody waits for is aborted. */
function* serve(deps: Deps, address: Address) {
  const { operation, key } = address;
  let isLoading = false;
  function* whileShown() {
    yield takeLatest(
      about(address, resourceRequested),
      function* loadLatest({ payload }: ReturnType<typeof resourceRequested>) {
        isLoading = true;
        yield* load(deps, payload);
        isLoading = false;
      },
    );
    yield takeEvery(resourcesInvalidated, function* reload({ payload }) {
      if (payload.includes(operation)) yield put(resourceRequested(address));
    });
    const entry: ReturnType<typeof selectResource> = yield select(selectResource, operation, key);
    if (entry?.state !== 'ready') yield put(resourceRequested(address));
  }
  for (let again: Action | undefined; ; ) {
    yield race([call(whileShown), call(untilReleased, address)]);
    // What was being loaded is not up to date.
    if (isLoading) break;
    ({ again } = yield race({
      again: take(about(address, resourceAsked)),
      change: take(resourcesInvalidated),
      pause: delay(keepMs),
    }));
    if (!again) break;
  }
  yield put(resourceDropped(address));
}

function* serveAll(deps: Deps) {
  const served = new Set<string>();
  yield takeEvery(resourceAsked, function* serveOnce({ payload: address }) {
    if (served.has(address.key)) return;
    served.add(address.key);
    yield* serve(deps, address);
    served.delete(address.key);
  });
}

/** The data of pages, and sagas that components start. */
function* resourceSaga(deps: Deps) {
  yield takeEvery(sagaStarted, ({ payload: saga }) => saga(deps));
  for (;;) yield race([call(serveAll, deps), take(resourcesCleared)]);
}

registerSagas([resourceSaga]);
