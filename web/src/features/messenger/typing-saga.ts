import { put, select, throttle } from 'redux-saga/effects';
import { selectConversation } from '../../entities/conversations/slice.ts';
import { emitted } from '../../entities/realtime/events.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { draftChanged, selectDraft } from './drafts-slice.ts';
import { selectPreferences } from './preferences-slice.ts';

/** Said again this often while one writes; who hears nothing for five seconds takes it as over. */
const again = 3_000;

function* tellTyping({ payload: { id } }: ReturnType<typeof draftChanged>) {
  // By now it may have been sent, and nobody writes any more.
  const text: ReturnType<typeof selectDraft> = yield select(selectDraft, id);
  const { showTyping }: ReturnType<typeof selectPreferences> = yield select(selectPreferences);
  const conversation: ReturnType<typeof selectConversation> = yield select(selectConversation, id);
  if (!text || !showTyping || !conversation?.open) return;
  yield put(emitted({ name: 'typing', data: { receiverId: conversation.user.id } }));
}

/** Tells the other one that the person is writing. */
export function* typingSession(_deps: Deps) {
  yield throttle(again, draftChanged, tellTyping);
}
