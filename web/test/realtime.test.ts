import { loggedOut } from '../src/entities/auth/slice.ts';
import { connected, pointsChanged } from '../src/entities/realtime/events.ts';
import { draftChanged } from '../src/features/messenger/drafts-slice.ts';
import { preferencesSubmitted } from '../src/features/messenger/preferences-slice.ts';
import { sessionEnded } from '../src/shared/saga/request.ts';
import { startApp } from './support/app.ts';
import { conversation, me } from './support/fixtures.ts';
import { openMessenger } from './support/messenger.ts';

test('visitors have no socket; logged-in users have one with their token', async () => {
  const visitor = startApp({ social: true });
  await new Promise(setImmediate);
  expect(visitor.socket.state.open).toBe(0);
  const { socket, until } = await openMessenger();
  expect(socket.state).toEqual({ open: 1, token: 'kept' });
  await until(() => socket.emitted.length > 0);
  expect(socket.emitted[0]).toEqual({ name: 'addUser', data: me.id });
});

test('every new connection announces the user again', async () => {
  const { socket, until } = await openMessenger();
  const announcements = () => socket.emitted.filter(({ name }) => name === 'addUser').length;
  const before = announcements();
  socket.receive(connected());
  await until(() => announcements() === before + 1);
});

test.each([
  ['logout', loggedOut()],
  ['the end of the session', sessionEnded('over')],
])('%s closes the socket and clears friends and conversations', async (_why, action) => {
  const { store, socket } = await openMessenger();
  store.dispatch(action);
  expect(socket.state.open).toBe(0);
  expect(store.getState()).toMatchObject({
    friendRequests: { ids: [], entities: {}, list: { state: 'idle' } },
    conversations: { ids: [], entities: {}, list: { state: 'idle' } },
    threads: { ids: [], entities: {} },
    realtime: { connection: 'none', online: [] },
  });
});

test('a points event updates the user’s points', async () => {
  const { store, socket, until } = await openMessenger();
  socket.receive(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => state.auth.user?.points === 50);
  expect(store.getState().auth.user).toEqual({ ...me, points: 50 });
});

test('an older total of points that arrives late changes nothing (code 11)', async () => {
  const { store, socket, until } = await openMessenger();
  const receive = (points: number, pointsVersion?: number) =>
    socket.receive(pointsChanged({ challengeId: 3, awarded: 10, points, pointsVersion }));
  receive(70, 3);
  receive(60, 2);
  await until((state) => state.auth.user?.points === 70);
  // A revocation lowers the total.
  receive(40, 4);
  receive(70, 3);
  await until((state) => state.auth.user?.points === 40);
  // A server of an earlier version sends none.
  receive(90);
  await until((state) => state.auth.user?.points === 90);
  expect(store.getState().auth.user).toEqual({ ...me, points: 90 });
});

test('typing is sent to the friend once for quick changes, and can be switched off', async () => {
  const { store, socket, until } = await openMessenger([], {
    'PUT /api/chat/preferences': { body: { keepDrafts: true, showTyping: false, sendReadReceipts: true } },
  });
  const typingEvents = () => socket.emitted.filter(({ name }) => name === 'typing');
  store.dispatch(draftChanged({ id: conversation.id, text: 'h' }));
  store.dispatch(draftChanged({ id: conversation.id, text: 'he' }));
  expect(typingEvents()).toEqual([{ name: 'typing', data: { receiverId: conversation.user.id } }]);
  store.dispatch(preferencesSubmitted({ showTyping: false }));
  await until((state) => state.chatPreferences.saving.state === 'ready');
  expect(store.getState().chatPreferences.current.showTyping).toBe(false);
});
