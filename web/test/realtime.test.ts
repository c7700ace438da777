import { loggedOut, logoutRequested } from '../src/features/auth/slice.ts';
import { draftChanged } from '../src/features/messenger/drafts-slice.ts';
import { preferencesSubmitted } from '../src/features/messenger/preferences-slice.ts';
import { connected, pointsChanged } from '../src/features/realtime/events.ts';
import { draftsIn } from '../src/shared/lib/drafts.ts';
import { sessionEnded } from '../src/shared/saga/request.ts';
import { startApp } from './support/app.ts';
import { conversation, me } from './support/fixtures.ts';
import { openMessenger } from './support/messenger.ts';

test('visitors have no socket, members one in the name of their token', async () => {
  const visitor = startApp({ social: true });
  await new Promise(setImmediate);
  expect(visitor.socket.state.open).toBe(0);
  const { socket, until } = await openMessenger();
  expect(socket.state).toEqual({ open: 1, token: 'kept' });
  await until(() => socket.emitted.length > 0);
  expect(socket.emitted[0]).toEqual({ name: 'addUser', data: me.id });
});

test('every new connection tells again who is there', async () => {
  const { socket, until } = await openMessenger();
  socket.tell(connected());
  await until(() => socket.emitted.filter(({ name }) => name === 'addUser').length === 2);
});

test.each([
  ['logout', loggedOut()],
  ['the end of the session', sessionEnded('over')],
])('%s closes the socket and forgets friends and conversations', async (_why, action) => {
  const { store, socket } = await openMessenger();
  store.dispatch(action);
  expect(socket.state.open).toBe(0);
  expect(store.getState()).toMatchObject({
    friendRequests: { items: [], list: 'idle' },
    conversations: { items: [], list: 'idle' },
    threads: { items: [] },
    realtime: { connection: 'none', online: [] },
  });
});

test('points that come live are the member’s points', async () => {
  const { store, socket, until } = await openMessenger();
  socket.tell(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => state.auth.user?.points === 50);
  expect(store.getState().auth.user).toEqual({ ...me, points: 50 });
});

test('writing is told to the friend, unless one does not want that', async () => {
  const { store, socket, until } = await openMessenger([], {
    'PUT /api/chat/preferences': { body: { keepDrafts: true, showTyping: false, showReadMarks: true } },
  });
  const typed = () => socket.emitted.filter(({ name }) => name === 'typing');
  store.dispatch(draftChanged({ id: conversation.id, text: 'h' }));
  store.dispatch(draftChanged({ id: conversation.id, text: 'he' }));
  expect(typed()).toEqual([{ name: 'typing', data: { receiverId: conversation.user.id } }]);
  store.dispatch(preferencesSubmitted({ showTyping: false }));
  await until((state) => state.chatPreferences.state === 'ready');
  expect(store.getState().chatPreferences.current.showTyping).toBe(false);
});

test('drafts are kept for each conversation, and go with a logout or when they are not wanted', async () => {
  const app = await openMessenger([], {
    'PUT /api/chat/preferences': { body: { keepDrafts: false, showTyping: true, showReadMarks: true } },
    'POST /auth/logout': {},
  });
  app.store.dispatch(draftChanged({ id: 5, text: 'to be continued' }));
  app.store.dispatch(draftChanged({ id: 6, text: 'another' }));
  expect(app.kept.drafts).toEqual([
    { id: 5, text: 'to be continued' },
    { id: 6, text: 'another' },
  ]);
  app.store.dispatch(preferencesSubmitted({ keepDrafts: false }));
  expect(app.kept.drafts).toEqual([]);

  const other = await openMessenger([], { 'POST /auth/logout': {} });
  other.store.dispatch(draftChanged({ id: 5, text: 'secret' }));
  expect(other.kept.drafts).toHaveLength(1);
  other.store.dispatch(logoutRequested());
  expect(other.kept.drafts).toEqual([]);
});

test('drafts come back from storage, of each person apart; what cannot be read is none', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const drafts = draftsIn(() => storage);
  drafts.write(7, [{ id: 5, text: 'hi' }]);
  expect(drafts.read(7)).toEqual([{ id: 5, text: 'hi' }]);
  expect(drafts.read(8)).toEqual([]);
  drafts.write(7, []);
  expect(items.size).toBe(0);
  items.set('wayquest-drafts-7', '{"not": "a list"');
  expect(drafts.read(7)).toEqual([]);
});
