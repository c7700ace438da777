import { put, select, throttle } from 'redux-saga/effects';
import { selectConversation } from '../../entities/conversations/slice.ts';
import { emitted } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { draftChanged, selectDraft } from './drafts-slice.ts';
import { selectPreferences } from './preferences-slice.ts';

/**
 * The event is repeated at this interval while the person types; without it receivers assume the end after five
 * seconds.
 */
const repeatMs = 3_000;

function* sendTyping({ payload: { id } }: ReturnType<typeof draftChanged>) {
  // The message may have been sent in the meantime.
  const text: ReturnType<typeof selectDraft> = yield select(selectDraft, id);
  const { showTyping }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
  const conversation: ReturnType<typeof selectConversation> = yield select(selectConversation, id);
  if (!text || !showTyping || !conversation?.open) return;
  yield put(emitted({ name: 'typing', data: { receiverId: conversation.user.id } }));
}

/** Notifies the other person that this one is typing. */
export function* typingSession(_deps: Deps) {
  yield throttle(repeatMs, draftChanged, sendTyping);
}
