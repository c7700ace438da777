import type { NewMessage } from '@wayquest/contracts';
import { afterTest } from '@wayquest/testing';
import { userReceived } from '../src/entities/auth/slice.ts';
import { entrySubmitted, selectPendingEntries } from '../src/entities/challenge-log/slice.ts';
import { completeRequested, selectPendingCompletions } from '../src/entities/participations/slice.ts';
import { connected, messageReceived } from '../src/entities/realtime/events.ts';
import { draftChanged, selectDraft } from '../src/features/messenger/drafts-slice.ts';
import { messageSubmitted, selectThread, threadOpened } from '../src/features/messenger/threads-slice.ts';
import { memoryBrowser, type StubResponse, type StubResponses, startApp } from './support/app.ts';
import { fakeTimers, timeouts } from './support/fake-timers.ts';
import { conversation, me, message, participation } from './support/fixtures.ts';
import { chatService } from './support/messenger.ts';

/** What a person does that is kept until the server has answered: completing, writing a message, a note and a photo. */

const photo = 'data:image/png;base64,iVBORw0KGgo=';
const completed = { ...participation, completed: true, completedAt: '2026-05-03T12:00:00.000Z' };
const logEntry = {
  ...{ id: participation.id, challengeId: participation.challengeId, user: participation.user },
  ...{ completedAt: completed.completedAt, checkedIn: false, note: 'Done', photo: null, hidden: false },
};

/** A server that does each thing once, however often it is asked. */
function server() {
  const done: string[] = [];
  const once = (what: string, body: unknown): StubResponse => {
    if (!done.includes(what)) done.push(what);
    return { body };
  };
  const { responses: ofChat } = chatService();
  const saved = new Map<unknown, ReturnType<typeof message>>();
  const responses: StubResponses = {
    ...ofChat,
    [`PUT /api/challengeLine/${participation.id}`]: () => once('completion', completed),
    [`GET /api/challengeLine/?challengeId=${participation.challengeId}&userId=${me.id}`]: {
      body: [completed],
    },
    'GET /api/challengeLine/?limit=500': { body: [completed] },
    'PUT /api/points/': { body: { ...me, award: { challengeId: participation.challengeId, points: 10 } } },
    [`PUT /api/completions/${participation.id}/note`]: () => once('note', logEntry),
    [`PUT /api/completions/${participation.id}/photo`]: () => once('photo', logEntry),
    [`GET /api/completions/${participation.id}`]: { body: logEntry },
    'POST /api/messages': (body) => {
      const { clientId = null, text } = body as NewMessage;
      const known = saved.get(clientId) ?? message(saved.size + 1, { sender: me.id, text, clientId });
      saved.set(clientId, known);
      return once(`message ${clientId}`, known);
    },
  };
  return { done, responses };
}

type Network = 'up' | 'away' | 'loses answers' | 'silent' | 'closes the tab with its answer';

/** Opens a tab of a browser, whose network can be changed and which can be closed. */
function openTab(browser: ReturnType<typeof memoryBrowser>, { responses }: ReturnType<typeof server>) {
  const state = { network: 'up' as Network, asked: 0 };
  let isOpen = true;
  const close = () => {
    isOpen = false;
    state.network = 'away';
  };
  const never = new Promise<never>(() => {});
  const isRead = (call: string) => call.startsWith('GET ') || call === 'PUT /api/points/';
  const through = Object.fromEntries(
    Object.entries(responses).map(([call, response]): [string, StubResponses[string]] => [
      call,
      (body, signal) => {
        const answerOf = () => (typeof response === 'function' ? response(body, signal) : response);
        if (isRead(call)) return answerOf();
        state.asked += 1;
        const lost = Promise.reject(new TypeError('Failed to fetch'));
        if (state.network === 'away') return lost;
        lost.catch(() => {});
        const answer = answerOf();
        if (state.network === 'loses answers') return lost;
        if (state.network === 'closes the tab with its answer') close();
        return state.network === 'silent' ? never : answer;
      },
    ]),
  );
  const unsentItems = browser.openUnsentItems(() => isOpen);
  const app = startApp({ token: 'a token', social: true, responses: through, unsentItems });
  app.store.dispatch(userReceived(me));
  app.store.dispatch(threadOpened(conversation.id));
  const connect = () => app.socket.receive(connected());
  return { ...app, state, close, connect };
}

type TestTab = ReturnType<typeof openTab>;

const kinds = {
  completion: {
    act: (tab: TestTab) => tab.store.dispatch(completeRequested({ participation, checkIn: 'no' })),
    isPending: (tab: TestTab) => selectPendingCompletions(tab.store.getState()).length === 1,
    arrives: ['completion'],
  },
  message: {
    act: (tab: TestTab) => tab.store.dispatch(messageSubmitted(conversation.id, 'Still here')),
    isPending: (tab: TestTab) =>
      selectThread(tab.store.getState(), conversation.id)?.outgoing[0]?.state === 'failed',
    arrives: [expect.stringContaining('message')],
  },
  'note and photo': {
    act: (tab: TestTab) => {
      const { id: participationId, challenge } = participation;
      tab.store.dispatch(entrySubmitted({ participationId, name: challenge.name, note: 'Done', photo }));
    },
    isPending: (tab: TestTab) => selectPendingEntries(tab.store.getState()).length === 1,
    arrives: ['note', 'photo'],
  },
};

const waiting = ({ stored }: TestTab) => [...stored.completions, ...stored.unsent, ...stored.entries];
const isReady = async (tab: TestTab) => {
  await tab.until((state) => tab.socket.state.open === 1 && state.conversations.list.state === 'ready');
  await tab.until((state) => selectThread(state, conversation.id)?.newest.state === 'ready');
};

describe.each(Object.entries(kinds))('a %s', (_, { act, isPending, arrives }) => {
  const interruptions: [string, (tab: TestTab) => Promise<void>][] = [
    [
      'the network is away',
      async (tab) => {
        tab.state.network = 'away';
        act(tab);
        await tab.until(() => isPending(tab));
      },
    ],
    [
      'it arrives and its answer is lost',
      async (tab) => {
        tab.state.network = 'loses answers';
        act(tab);
        await tab.until(() => isPending(tab));
      },
    ],
    [
      'the tab is closed before it is sent',
      async (tab) => {
        tab.state.network = 'away';
        act(tab);
        tab.close();
      },
    ],
    [
      'the tab is closed before it is answered',
      async (tab) => {
        tab.state.network = 'silent';
        act(tab);
        await tab.until(() => tab.state.asked > 0);
        tab.close();
      },
    ],
    [
      'the tab is closed after the answer, before it is removed',
      async (tab) => {
        tab.state.network = 'closes the tab with its answer';
        act(tab);
        await tab.until(() => tab.state.network === 'away');
      },
    ],
  ];

  it.each(interruptions)('arrives once, in the next visit, if %s (Q1)', async (_, interrupt) => {
    const browser = memoryBrowser();
    const site = server();
    const first = openTab(browser, site);
    await isReady(first);
    await interrupt(first);
    first.close();
    expect(waiting(first)).toHaveLength(1);

    // The browser releases the locks of a closed tab.
    const next = openTab(memoryBrowser(browser.items), site);
    await isReady(next);
    next.connect();
    await next.until(() => waiting(next).length === 0);
    expect(site.done).toEqual(arrives);
  });

  it.each(['away', 'loses answers'] as const)(
    'arrives once, by another tab, if the network of the first is “%s” (Q1)',
    async (network) => {
      const browser = memoryBrowser();
      const site = server();
      const tabs = [openTab(browser, site), openTab(browser, site)] as const;
      const [first, second] = tabs;
      for (const tab of tabs) await isReady(tab);
      first.state.network = network;
      act(first);
      expect(waiting(first)).toHaveLength(1);
      await second.until(() => waiting(second).length === 0);
      for (const tab of tabs) await tab.until(() => !isPending(tab));
      expect(site.done).toEqual(arrives);
    },
  );

  it('is sent without another press while the socket stays connected (Q2)', async () => {
    fakeTimers(timeouts);
    afterTest(() => void jest.useRealTimers());
    const site = server();
    const tab = openTab(memoryBrowser(), site);
    await isReady(tab);
    tab.state.network = 'away';
    act(tab);
    await tab.until(() => isPending(tab));
    tab.state.network = 'up';
    await jest.advanceTimersByTimeAsync(10_000);
    await tab.until(() => waiting(tab).length === 0);
    expect(site.done).toEqual(arrives);
  });
});

describe('two tabs', () => {
  const openTwo = async () => {
    const browser = memoryBrowser();
    const site = server();
    const tabs = [openTab(browser, site), openTab(browser, site)] as const;
    for (const tab of tabs) {
      await isReady(tab);
      tab.state.network = 'away';
    }
    return { browser, site, tabs };
  };

  it('keep what each of them stores, and an incoming message changes nothing of that (Q1)', async () => {
    const { tabs, browser, site } = await openTwo();
    const [first, second] = tabs;
    const other = { ...participation, id: participation.id + 1, challengeId: participation.challengeId + 1 };
    first.store.dispatch(completeRequested({ participation, checkIn: 'no' }));
    second.store.dispatch(completeRequested({ participation: other, checkIn: 'no' }));
    first.store.dispatch(messageSubmitted(conversation.id, 'From the first'));
    await first.until((state) => selectPendingCompletions(state).length === 2);
    await second.until((state) => selectPendingCompletions(state).length === 2);
    const incoming = message(9);
    second.socket.receive(messageReceived({ ...incoming, senderId: incoming.sender, receiverId: me.id }));
    second.store.dispatch(threadOpened(conversation.id + 1));
    for (const tab of tabs) tab.close();

    const next = startApp({ unsentItems: memoryBrowser(browser.items).openUnsentItems() });
    expect(next.stored.completions.map(({ participationId }) => participationId).sort()).toEqual([
      participation.id,
      other.id,
    ]);
    expect(next.stored.unsent).toMatchObject([{ text: 'From the first' }]);
    expect(site.done).toEqual([]);
  });

  it('show the same drafts, each of which only the tab changes in which it is written (Q1)', async () => {
    const { tabs } = await openTwo();
    const [first, second] = tabs;
    first.store.dispatch(draftChanged({ id: 5, text: 'to be continued' }));
    second.store.dispatch(draftChanged({ id: 6, text: 'another' }));
    await second.until((state) => selectDraft(state, 5) === 'to be continued');
    await first.until((state) => selectDraft(state, 6) === 'another');
    first.store.dispatch(draftChanged({ id: 5, text: '' }));
    await second.until((state) => selectDraft(state, 5) === '');
    expect(second.stored.drafts).toEqual([{ id: 6, text: 'another' }]);
  });
});

it('takes over the lists of the previous version once, without invalid items', () => {
  const browser = memoryBrowser();
  const completion = { participationId: 1, challengeId: 2, name: 'A walk', doneAt: Date.now() };
  const unsent = { conversationId: 5, clientId: 'a', text: 'hi', createdAt: '2026-05-01T12:00:00.000Z' };
  const draft = { id: 5, text: 'to be continued' };
  browser.items.set('wayquest-completions-7', JSON.stringify([completion, null, { name: 'x' }]));
  browser.items.set('wayquest-unsent-7', JSON.stringify([unsent, { ...unsent, text: 1 }]));
  browser.items.set('wayquest-drafts-7', JSON.stringify([draft]));
  const items = browser.openUnsentItems();
  for (let visit = 0; visit < 2; visit += 1) {
    expect(items.list(7, 'completion')).toMatchObject([{ participationId: 1, name: 'A walk' }]);
    expect(items.list(7, 'message')).toEqual([unsent]);
    expect(items.list(7, 'draft')).toEqual([draft]);
  }
  expect([...browser.items.keys()].filter((key) => /-7$/.test(key))).toEqual([]);
  items.remove(7, 'message', 'a');
  expect(items.list(7, 'message')).toEqual([]);
});
