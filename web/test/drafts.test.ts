import { logoutRequested, userReceived } from '../src/entities/auth/slice.ts';
import { draftChanged, selectDraft } from '../src/features/messenger/drafts-slice.ts';
import { preferencesSubmitted } from '../src/features/messenger/preferences-slice.ts';
import { messageSubmitted } from '../src/features/messenger/threads-slice.ts';
import { formDraftsIn } from '../src/shared/lib/form-drafts.ts';
import { safeStorage } from '../src/shared/lib/storage.ts';
import { createUnsentItems, type Exclusively } from '../src/shared/lib/unsent-items.ts';
import { sessionEnded } from '../src/shared/saga/request.ts';
import { memoryBrowser, memoryStorage } from './support/app.ts';
import { me } from './support/fixtures.ts';
import { openMessenger } from './support/messenger.ts';

test('drafts are stored for each conversation, and deleted at logout or when the preference is switched off', async () => {
  const app = await openMessenger([], {
    'PUT /api/chat/preferences': { body: { keepDrafts: false, showTyping: true, sendReadReceipts: true } },
    'POST /auth/logout': {},
  });
  app.store.dispatch(draftChanged({ id: 5, text: 'to be continued' }));
  app.store.dispatch(draftChanged({ id: 6, text: 'another' }));
  expect(app.stored.drafts).toEqual([
    { id: 5, text: 'to be continued' },
    { id: 6, text: 'another' },
  ]);
  app.store.dispatch(preferencesSubmitted({ keepDrafts: false }));
  expect(app.stored.drafts).toEqual([]);

  const secondTab = await openMessenger([], { 'POST /auth/logout': {} });
  secondTab.store.dispatch(draftChanged({ id: 5, text: 'secret' }));
  expect(secondTab.stored.drafts).toHaveLength(1);
  secondTab.store.dispatch(logoutRequested());
  expect(secondTab.stored.drafts).toEqual([]);
});

test('drafts are restored for each user separately, and invalid ones ignored', () => {
  const { items, openUnsentItems } = memoryBrowser();
  const unsentItems = openUnsentItems();
  unsentItems.put(7, 'draft', { id: 5, text: 'hi' });
  expect(unsentItems.list(7, 'draft')).toEqual([{ id: 5, text: 'hi' }]);
  expect(unsentItems.list(8, 'draft')).toEqual([]);
  expect(unsentItems.list(77, 'draft')).toEqual([]);
  unsentItems.remove(7, 'draft', 5);
  expect(items.size).toBe(0);
  items.set('wayquest-unsent-7-draft-5', '{"not": "a draft"');
  expect(unsentItems.list(7, 'draft')).toEqual([]);
});

const throwDomException = (name: string) => () => {
  throw new DOMException('not here', name);
};
const fullStorage: Storage = {
  ...{ length: 0, key: () => null, getItem: () => null, removeItem: () => {}, clear: () => {} },
  setItem: throwDomException('QuotaExceededError'),
};

test.each([
  ['full', () => fullStorage],
  ['forbidden', throwDomException('SecurityError')],
])('if the storage is %s, drafts are kept in memory', async (_kind, openStorage) => {
  const consoleError = jest.spyOn(console, 'error').mockImplementation(() => {});
  const exclusively: Exclusively = (_name, run) => run();
  const unsentItems = createUnsentItems({ ...safeStorage(openStorage), watch: () => () => {} }, exclusively);
  const app = await openMessenger([], {}, { unsentItems });
  app.store.dispatch(draftChanged({ id: 5, text: 'to be continued' }));
  expect(app.stored.drafts).toEqual([{ id: 5, text: 'to be continued' }]);
  app.store.dispatch(messageSubmitted(5, 'to be continued'));
  await app.until(() => app.calls.some(({ call }) => call === 'POST /api/messages'));
  expect(consoleError).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});

test('form drafts are separate for each user, survive a reload, and are deleted at logout or another login', () => {
  const storages = { session: memoryStorage(), local: memoryStorage() };
  const tab = formDraftsIn(storages);
  tab.write(7, 'report-user-3', { reason: 'spam', comment: 'Every day' });
  const reloaded = formDraftsIn(storages);
  expect(reloaded.read(7, 'report-user-3')).toEqual({ reason: 'spam', comment: 'Every day' });
  expect(reloaded.read(7, 'map')).toBeUndefined();
  reloaded.keepOnly(8);
  expect(reloaded.read(7, 'report-user-3')).toBeUndefined();

  reloaded.write(8, 'map', { name: 'A walk', checkInRequired: true });
  const secondTab = formDraftsIn({ session: memoryStorage(), local: storages.local });
  secondTab.write(8, 'map', { name: 'Another' });
  secondTab.clear();
  expect(reloaded.read(8, 'map')).toBeUndefined();
  reloaded.write(8, 'map', { name: 'A walk' });
  reloaded.write(8, 'map');
  expect(formDraftsIn(storages).read(8, 'map')).toBeUndefined();
});

test('if the storage is forbidden, form drafts are kept in memory', () => {
  const forbidden = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  const drafts = formDraftsIn({ session: safeStorage(forbidden), local: safeStorage(forbidden) });
  drafts.write(7, 'map', { name: 'A walk' });
  expect(drafts.read(7, 'map')).toEqual({ name: 'A walk' });
  drafts.clear();
  expect(drafts.read(7, 'map')).toBeUndefined();
});

test('an unsent message text survives the end of the session, even if drafts are not stored', async () => {
  const preferences = { keepDrafts: false, showTyping: true, sendReadReceipts: true };
  const app = await openMessenger([], { 'PUT /api/chat/preferences': { body: preferences } });
  app.store.dispatch(preferencesSubmitted({ keepDrafts: false }));
  await app.until((state) => !state.chatPreferences.current.keepDrafts);
  app.store.dispatch(draftChanged({ id: 5, text: 'to be continued' }));
  expect(app.stored.drafts).toEqual([]);
  app.store.dispatch(sessionEnded('Your session has ended.'));
  expect(selectDraft(app.store.getState(), 5)).toBe('');
  app.store.dispatch(userReceived(me));
  await app.until((state) => selectDraft(state, 5) === 'to be continued');
});
