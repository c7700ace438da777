import type { Client, LogEntry } from '@wayquest/contracts';
import { fork, put, select, takeEvery } from 'redux-saga/effects';
import { translateCommon } from '../../shared/i18n/common.ts';
import { fileOf } from '../../shared/lib/data-urls.ts';
import { isRejected, sentenceOf } from '../../shared/lib/errors.ts';
import type { UnsentEntry } from '../../shared/lib/unsent-items.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { retrying } from '../../shared/saga/retrying.ts';
import { changesElsewhere } from '../../shared/saga/unsent-changes.ts';
import { whileAuthenticated } from '../auth/while-authenticated.ts';
import { connected } from '../realtime/events.ts';
import {
  entriesRestored,
  entryDiscarded,
  entryDropped,
  entryFailed,
  entryKept,
  entryRetried,
  entrySaved,
  entrySubmitted,
  type OwnEntriesPart,
  selectPendingEntries,
} from './slice.ts';

/** Saves a note and a photo: what is in the change. Doing that twice changes nothing. */
async function save(
  api: Client,
  { participationId: id, note, photo }: UnsentEntry,
): Promise<LogEntry | undefined> {
  const params = { id };
  let saved: LogEntry | undefined;
  if (note !== undefined) saved = await api.updateNote({ params, body: { note } });
  if (photo === null) saved = await api.removePhoto({ params });
  else if (photo !== undefined) saved = await api.updatePhoto({ params, body: fileOf(photo) });
  return saved;
}

function* session(deps: Deps, userId: number) {
  const { unsentItems } = deps;
  const stored = () => unsentItems.list(userId, 'entry');
  const storedFor = (id: number) => stored().find(({ participationId }) => participationId === id);
  function* restore() {
    yield put(entriesRestored(stored()));
  }

  /** Sends a stored change. Returns whether the server has answered. */
  function* send(participationId: number, onRejected: 'remove' | 'keep') {
    try {
      const sent = yield* request(deps, (api) =>
        unsentItems.send(userId, 'entry', participationId, { send: (entry) => save(api, entry), onRejected }),
      );
      yield put(sent?.response ? entrySaved(sent.response) : entryDropped(participationId));
      return true;
    } catch (error) {
      const kept = storedFor(participationId);
      if (kept) yield put(entryKept(kept));
      else yield put(entryFailed({ participationId, error: sentenceOf(error) }));
      return isRejected(error);
    }
  }

  function* sendAll() {
    const pending: UnsentEntry[] = yield select(selectPendingEntries);
    for (const { participationId } of pending) if (!(yield* send(participationId, 'keep'))) return;
  }

  /** Loads what another tab has saved or discarded. */
  function* reload(id: number) {
    try {
      yield put(entrySaved(yield* request(deps, (api) => api.getLogEntry({ params: { id } }))));
    } catch (error) {
      console.warn('A log entry could not be loaded', error);
    }
  }

  yield takeEvery(entrySubmitted, function* submit({ payload: changed, meta }) {
    const { participationId } = changed;
    const { refused: _, ...earlier } = storedFor(participationId) ?? {};
    const isStored = unsentItems.put(userId, 'entry', { ...earlier, ...changed });
    const isAnswered = yield* send(participationId, meta.isFormClosed ? 'keep' : 'remove');
    if (!isAnswered && !isStored) yield put(noticed({ text: translateCommon('onlyInMemory'), tone: 'bad' }));
  });
  yield takeEvery(changesElsewhere(deps, userId), function* follow() {
    const before: UnsentEntry[] = yield select(selectPendingEntries);
    yield* restore();
    for (const { participationId } of before) if (!storedFor(participationId)) yield* reload(participationId);
  });
  yield takeEvery(entryRetried, function* retry({ payload: { refused: _, ...entry } }) {
    unsentItems.put(userId, 'entry', entry);
    yield* restore();
  });
  yield takeEvery(entryDiscarded, function* discard({ payload: { participationId } }) {
    unsentItems.remove(userId, 'entry', participationId);
    yield put(entryDropped(participationId));
  });
  // At each connection, and after the start.
  yield fork(retrying, {
    attempt: sendAll,
    selectWaits: select((state: OwnEntriesPart) => selectPendingEntries(state).length > 0),
    occasions: [connected.type, entriesRestored.type],
    stored: [entryKept.type],
  });
  yield* restore();
}

/** Saves notes and photos, and those that got no response at this visit or a later one. */
export function* ownEntriesSaga(deps: Deps) {
  yield* whileAuthenticated(deps, session);
}
