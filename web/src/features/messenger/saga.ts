import {
  all,
  call,
  delay,
  put,
  race,
  select,
  take,
  takeEvery,
  takeLatest,
  throttle,
} from 'redux-saga/effects';
import { whileAuthenticated } from '../../entities/auth/while-authenticated.ts';
import {
  conversationReceived,
  messagesSeen,
  selectConversation,
} from '../../entities/conversations/slice.ts';
import { afterGap, emitted } from '../../entities/realtime/events.ts';
import { isRejected, sentenceOf } from '../../shared/lib/errors.ts';
import type { Draft } from '../../shared/lib/unsent-items.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request, requestSaga } from '../../shared/saga/request.ts';
import { changesElsewhere } from '../../shared/saga/unsent-changes.ts';
import { draftChanged, draftsReplaced, draftsRestored, selectDraft, selectDrafts } from './drafts-slice.ts';
import {
  preferencesFailed,
  preferencesNotSaved,
  preferencesReceived,
  preferencesRequested,
  preferencesSaved,
  preferencesSubmitted,
  selectPreferences,
  selectPreferencesState,
} from './preferences-slice.ts';
import { sendingSession, unsentSession } from './sending-saga.ts';
import { threadsSession } from './threads-saga.ts';
import { messageSubmitted } from './threads-slice.ts';

/** Pause after a mark of a conversation was saved. */
const pause = 500;
/** Back-off after a failure; doubles each time. */
const minRetryMs = 2_000;
const maxRetry = 60_000;
/** Timeout of a call. */
const requestTimeoutMs = 20_000;

/** Pauses longer after each failure, but not beyond a new connection or the next mark. */
function* beforeRetry(number: number) {
  const retryDelayMs = Math.min(minRetryMs * 2 ** number, maxRetry);
  yield race([delay(retryDelayMs), take([messagesSeen.type, ...afterGap])]);
}

/** Saves how far the person has read: independently for each conversation, with retries. */
function* readMarksSession(deps: Deps) {
  /** The unsaved mark of each conversation. */
  const unsaved = new Map<number, number>();
  const running = new Set<number>();

  /** Returns whether the mark needs no retry. */
  function* save(id: number, messageId: number) {
    try {
      const read = yield* request(deps, (api) =>
        api.markConversationRead(
          { params: { id }, body: { messageId } },
          { signal: AbortSignal.timeout(requestTimeoutMs) },
        ),
      );
      yield put(conversationReceived(read));
      return true;
    } catch (error) {
      console.warn('A read mark could not be sent', error);
      return isRejected(error);
    }
  }

  function* saveAll(id: number) {
    let failures = 0;
    for (let messageId = unsaved.get(id); messageId !== undefined; messageId = unsaved.get(id)) {
      if (yield* save(id, messageId)) {
        if (unsaved.get(id) === messageId) unsaved.delete(id);
        yield delay(pause);
      } else {
        yield* beforeRetry(failures);
        failures += 1;
      }
    }
  }

  yield takeEvery(messagesSeen, function* seen({ payload: { conversationId: id, messageId } }) {
    unsaved.set(id, Math.max(messageId, unsaved.get(id) ?? 0));
    if (running.has(id)) return;
    running.add(id);
    yield* saveAll(id);
    running.delete(id);
  });
}

/** Name of the form of messagesForm. */
const messagesForm = 'messages';

/**
 * Stores drafts beyond the visit, if the person wants that; a logout deletes them, since others may use this browser.
 */
function* draftsSession(deps: Deps, userId: number) {
  const { unsentItems, formDrafts } = deps;
  /** Stores a draft of this tab; without a text, none. */
  const store = (draft: Draft) => {
    if (draft.text) unsentItems.put(userId, 'draft', draft);
    else unsentItems.remove(userId, 'draft', draft.id);
  };
  function* save(changed: Draft[]) {
    const { keepDrafts }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
    const current: ReturnType<typeof selectDrafts> = yield select(selectDrafts);
    if (keepDrafts) changed.forEach(store);
    else unsentItems.clear(userId, ['draft']);
    // Otherwise drafts are kept in this tab, since the session may end elsewhere while the person writes.
    const texts = Object.fromEntries(current.map(({ id, text }) => [String(id), text]));
    yield call(formDrafts.write, userId, messagesForm, keepDrafts ? undefined : texts);
  }
  yield takeEvery(draftChanged, ({ payload }) => save([payload]));
  yield takeEvery(messageSubmitted, ({ payload: { id } }) => save([{ id, text: '' }]));
  yield takeEvery([preferencesReceived, preferencesSaved, preferencesSubmitted], function* saveAll() {
    yield* save(yield select(selectDrafts));
  });
  yield takeEvery(changesElsewhere(deps, userId), function* restore() {
    const { keepDrafts }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
    if (keepDrafts) yield put(draftsReplaced(unsentItems.list(userId, 'draft')));
  });
  const stored = unsentItems.list(userId, 'draft');
  const texts: ReturnType<typeof formDrafts.read> = yield call(formDrafts.read, userId, messagesForm);
  const inTab = Object.entries(texts ?? {}).map(([id, text]) => ({ id: Number(id), text: String(text) }));
  if (stored.length + inTab.length > 0) yield put(draftsRestored([...stored, ...inTab]));
}

function* loadPreferences(deps: Deps) {
  yield* requestSaga(deps, (api) => api.getChatPreferences(), preferencesReceived, preferencesFailed);
}

function* savePreferences(deps: Deps, { payload: body }: ReturnType<typeof preferencesSubmitted>) {
  try {
    yield put(preferencesSaved(yield* request(deps, (api) => api.updateChatPreferences({ body }))));
  } catch (error) {
    yield* loadPreferences(deps);
    yield put(preferencesNotSaved(sentenceOf(error)));
  }
}

/** The person's chat preferences: loaded once a page needs them. */
function* preferencesSession(deps: Deps) {
  yield takeLatest(preferencesRequested.type, loadPreferences, deps);
  yield takeLatest(preferencesSubmitted, savePreferences, deps);
  // A page may have requested them before this saga started.
  const state: ReturnType<typeof selectPreferencesState> = yield select(selectPreferencesState);
  if (state === 'loading') yield call(loadPreferences, deps);
}

/**
 * The event is repeated at this interval while the person types; without it receivers assume the end after five
 * seconds.
 */
const typingRepeatMs = 3_000;

function* sendTyping({ payload: { id } }: ReturnType<typeof draftChanged>) {
  // The message may have been sent in the meantime.
  const text: ReturnType<typeof selectDraft> = yield select(selectDraft, id);
  const { showTyping }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
  const conversation: ReturnType<typeof selectConversation> = yield select(selectConversation, id);
  if (!text || !showTyping || !conversation?.can?.message) return;
  yield put(emitted({ name: 'typing', data: { receiverId: conversation.user.id } }));
}

/** Notifies the other person that this one is typing. */
function* typingSession(_deps: Deps) {
  yield throttle(typingRepeatMs, draftChanged, sendTyping);
}

const sessions = [
  readMarksSession,
  threadsSession,
  sendingSession,
  typingSession,
  draftsSession,
  preferencesSession,
  unsentSession,
];

function* runMessenger(deps: Deps, userId: number) {
  yield all(sessions.map((session) => call(session, deps, userId)));
}

/** The messenger, from login to logout. */
export function* messengerSaga(deps: Deps) {
  yield* whileAuthenticated(deps, runMessenger);
}
