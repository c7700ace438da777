import { call, put, takeLatest, throttle } from 'redux-saga/effects';
import { whileAuthenticated } from '../../entities/auth/while-authenticated.ts';
import { afterGap, notificationsChanged, whenConnected } from '../../entities/realtime/events.ts';
import { loadPart } from '../../shared/lib/load-part.ts';
import { closeShownNotifications, shownNotifications } from '../../shared/lib/service-worker.ts';
import { setUnread } from '../../shared/lib/unread-notifications.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, resourcesInvalidated } from '../../shared/saga/request.ts';
import { pushStorage } from './push-storage.ts';

/** Minimum interval between two calls. */
const minIntervalMs = 2_000;

const push = () => loadPart(() => import('./push.ts'));

/** Closes what was read, here or on another device. */
async function closeRead({ api }: Deps, unread: number): Promise<void> {
  if ((await shownNotifications()).length === 0) return;
  if (unread === 0) return closeShownNotifications(() => true);
  const newest = await (await api()).listNotifications();
  const read = new Set(newest.filter((one) => one.read).map(({ id }) => id));
  await closeShownNotifications((id) => read.has(id));
}

function* count(deps: Deps) {
  try {
    const { unread } = yield* request(deps, (api) => api.countUnreadNotifications());
    setUnread(unread);
    yield put(resourcesInvalidated(['listNotifications']));
    yield call(closeRead, deps, unread);
  } catch {
    // The last count stays; it is loaded again after a reconnection.
  }
}

function* watchUnread(deps: Deps, userId: number) {
  try {
    yield call(whenConnected);
    yield throttle(minIntervalMs, notificationsChanged, count, deps);
    yield takeLatest(afterGap, count, deps);
    yield call(count, deps);
    const renew = async () => (await push()).renewPush(deps, userId);
    if (pushStorage.read()?.userId === userId) yield call(renew);
    // Until the session ends.
    yield new Promise(() => {});
  } finally {
    setUnread(0);
    void closeShownNotifications(() => true);
    // A browser that is logged out shows no notifications.
    if (pushStorage.read()) {
      void push()
        .then(({ endPush }) => endPush())
        .catch((error: unknown) => console.warn('The push subscription could not be removed', error));
    }
  }
}

/** The number of unread notifications: loaded at the start, after each gap of the connection, and when it changed. */
export function* notificationsSaga(deps: Deps) {
  yield* whileAuthenticated(deps, watchUnread);
}
