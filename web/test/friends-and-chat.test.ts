import { randomBytes } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import {
  describeWith,
  eventually,
  type Network,
  openBrowser,
  pressKey,
  type TestBrowser,
  type Visitor,
} from '@wayquest/testing';
import type { Locator, Page, Request } from 'playwright-core';
import { findBarriers } from './screens/checks.ts';
import { waitUntilLoaded } from './screens/fixture.ts';
import { signUp } from './support/sign-up.ts';
import { startSite } from './support/start-site.ts';

/** Two users become friends and chat, each in a separate browser; against WAYQUEST_URL if that is set. */

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Messages, without the articles of challenges that they preview. */
const bubbles = (page: Page) => page.getByRole('log').locator('article[aria-label]');
const messageWith = (page: Page, text: string) => bubbles(page).filter({ hasText: text });

async function signUpAs({ page }: Visitor, username: string) {
  await page.goto('/signup');
  await signUp(page, username);
  await page.getByRole('button', { name: `${username}'s menu` }).waitFor();
}

async function sendText(page: Page, text: string) {
  await page.getByPlaceholder('write something...').fill(text);
  await button(page, 'Send').click();
}

/** Messenger in the bar of a phone, with what it counts. */
const messengerTab = (page: Page, count = '') =>
  page.getByRole('link', { name: `Messenger ${count}`.trim(), exact: true });

/** An own message with the given mark. */
const messageWithMark = (page: Page, text: string, mark: 'Sent' | 'Read') =>
  messageWith(page, text).filter({ has: page.getByRole('img', { name: mark }) });

(await describeWith('chromium'))('friends in two browsers', () => {
  let network: Network | undefined;
  let browser: TestBrowser;
  const suffix = randomBytes(3).toString('hex');
  const ann = `ann-${suffix}`;
  const bob = `bob-${suffix}`;
  let annBrowser: Visitor;
  let bobBrowser: Visitor;

  beforeAll(async () => {
    const address = process.env.WAYQUEST_URL;
    // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
    network = address ? undefined : await startSite({ places: { preload: true } });
    browser = await openBrowser(address ?? network?.url ?? '');
    annBrowser = await browser.visitor();
    bobBrowser = await browser.visitor(phone);
    await signUpAs(annBrowser, ann);
    await signUpAs(bobBrowser, bob);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it('a user finds another one and sends a request, the other accepts, and both see it without a reload', async () => {
    await bobBrowser.page.goto('/FriendsInvitation');
    await bobBrowser.page.getByText('No pending requests').waitFor();
    await annBrowser.page.goto('/users');
    await annBrowser.page.getByText('Suggested Friends').waitFor();
    await field(annBrowser.page, 'search').fill(bob.toUpperCase());
    const card = annBrowser.page.getByRole('article').filter({ hasText: bob });
    await card.getByRole('button', { name: 'Add friend' }).click();
    await card.getByRole('button', { name: 'Invitation Sent' }).waitFor();

    await bobBrowser.page.getByRole('button', { name: `${bob}'s menu, 1 friend request` }).waitFor();
    await bobBrowser.page.getByRole('button', { name: `Accept ${ann}` }).click();
    await bobBrowser.page.getByText('No pending requests').waitFor();
    await card.getByText('Friends', { exact: true }).waitFor();
  });

  it('shows initials where pictures cannot be loaded, and an icon in the menu’s button, without barriers', async () => {
    const page = await annBrowser.page.context().newPage();
    await page.route('**/profile-pics/**', (route) => route.abort());
    await page.goto('/friends');
    await page.getByText(bob.slice(0, 2).toUpperCase(), { exact: true }).waitFor();
    await button(page, `${ann}'s menu`).locator('svg').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });

  it('unread counts, presence, typing and read marks are shown live in a chat', async () => {
    await annBrowser.page.goto('/friends');
    await button(annBrowser.page, 'Send Message').click();
    await annBrowser.page.waitForURL(/\/messenger\/\d+$/);
    await annBrowser.page.getByText('Online', { exact: true }).first().waitFor();

    await sendText(annBrowser.page, 'Hello!\nSee https://example.com/park <b>soon</b>');
    await messageWithMark(annBrowser.page, 'Hello!', 'Sent').waitFor();
    await messengerTab(bobBrowser.page, '1 unread message').waitFor();
    await sendText(annBrowser.page, 'Are you there?');
    await messengerTab(bobBrowser.page, '2 unread messages').waitFor();
    // The avatar counts what is in its own menu only (53, finding 26).
    await button(bobBrowser.page, `${bob}'s menu`).waitFor();

    await bobBrowser.page.goto('/messenger');
    await bobBrowser.page.getByRole('link', { name: new RegExp(`${ann}.*2 unread`) }).click();
    await messageWith(bobBrowser.page, 'Are you there?').waitFor();
    await messageWith(bobBrowser.page, '<b>soon</b>').waitFor();
    const link = bobBrowser.page.getByRole('link', { name: 'https://example.com/park' });
    expect(await link.getAttribute('rel')).toContain('noopener');
    await messageWithMark(annBrowser.page, 'Are you there?', 'Read').waitFor();
    // A conversation fills the screen of a phone (53, finding 19).
    const { page: phonePage } = bobBrowser;
    await phonePage.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    const form = await phonePage
      .locator('form')
      .filter({ has: field(phonePage, 'message') })
      .boundingBox();
    expect(form && Math.round(form.y + form.height)).toBe(phone.viewport.height);

    await bobBrowser.page.getByPlaceholder('write something...').fill('Yes');
    await annBrowser.page.getByText(`${bob} is typing…`).waitFor();
    await button(bobBrowser.page, 'Send').click();
    await messageWith(annBrowser.page, 'Yes').waitFor();
    await eventually(async () =>
      expect(await annBrowser.page.getByRole('log').getByText('today', { exact: true }).count()).toBe(1),
    );
    await messageWithMark(bobBrowser.page, 'Yes', 'Read').waitFor();

    await bobBrowser.page.getByRole('link', { name: 'Back' }).click();
    await bobBrowser.page.getByRole('link', { name: new RegExp(ann) }).waitFor();
    await messengerTab(bobBrowser.page).waitFor();
    expect([...annBrowser.consoleErrors, ...bobBrowser.consoleErrors]).toEqual([]);
  });

  it('a pasted message that is too long is kept whole, shows the excess, and is not sent', async () => {
    const { page } = annBrowser;
    const composer = page.getByPlaceholder('write something...');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/messages')) sent.push(request.url());
    });
    await composer.focus();
    await page.keyboard.insertText('a'.repeat(2_993));
    const error = page.getByRole('alert').filter({ hasText: '2,993 of 2,000 characters: shorten it by 993' });
    await error.waitFor();
    expect(await composer.inputValue()).toHaveLength(2_993);
    expect(await composer.getAttribute('aria-invalid')).toBe('true');
    expect(await composer.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
    await composer.press('Enter');
    await button(page, 'Send').focus();
    await page.keyboard.press('Enter');
    // The input to be corrected gets the focus.
    await eventually(() => composer.evaluate((field) => field === document.activeElement));

    // Counted as on the server: an emoji counts twice, and white space at the ends not at all.
    await composer.fill('😀'.repeat(1_001));
    await page.getByText('2,002 of 2,000 characters: shorten it by 2').waitFor();
    expect(sent).toEqual([]);
    await composer.fill(`  ${'b'.repeat(2_000)}  `);
    await page.getByText('2,000 of 2,000 characters', { exact: true }).waitFor();
    await composer.press('Enter');
    await messageWithMark(page, 'bbbb', 'Sent').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('shows an error at the input if Send is pressed without a text', async () => {
    const { page } = annBrowser;
    const composer = page.getByPlaceholder('write something...');
    await composer.fill('  ');
    await button(page, 'Send').click();
    const error = page.getByRole('alert').filter({ hasText: 'Write a message first.' });
    await error.waitFor();
    expect(await composer.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
    await eventually(() => composer.evaluate((field) => field === document.activeElement));
    await composer.fill('');
    await error.waitFor({ state: 'detached' });
  });

  it('truncates a long name in the list to one line, with the whole name as its title', async () => {
    const page = await annBrowser.page.context().newPage();
    const longest = 'W'.repeat(30);
    await page.route('**/api/conversations/*', async (route) => {
      const json = await (await route.fetch()).json();
      json[0].user.username = longest;
      await route.fulfill({ json });
    });
    await page.goto('/messenger');
    const name = page.getByRole('link', { name: new RegExp(longest) }).getByTitle(longest);
    await name.waitFor();
    expect(
      await name.evaluate(
        (element) => element.clientHeight < 1.9 * Number.parseFloat(getComputedStyle(element).lineHeight),
      ),
    ).toBe(true);
    await page.close();
  });

  it('the list has the time of each conversation at the same place, whatever its count (53, finding 34)', async () => {
    const page = await annBrowser.page.context().newPage();
    await page.route('**/api/conversations/*', async (route) => {
      const [first] = await (await route.fetch()).json();
      const last = { id: 1, sender: first.user.id, text: 'Look', createdAt: new Date().toISOString() };
      const rows = [0, 1, 99, 100].map((unread, index) => ({ ...first, id: 900_000 + index, unread, last }));
      await route.fulfill({ json: rows });
    });
    await page.goto('/messenger');
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await rows.nth(3).waitFor();
    const places = await rows.evaluateAll((links) =>
      links.map((link) => {
        const [row, time] = [link, link.querySelector('time')].map((part) => part?.getBoundingClientRect());
        return row && time && [row.right - time.right, time.top - row.top].map(Math.round).join();
      }),
    );
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/^\d+,\d+$/);
    await page.close();
  });

  it('Enter breaks the line on a touch keyboard, and sends from a hardware keyboard', async () => {
    await bobBrowser.page.getByRole('link', { name: new RegExp(ann) }).click();
    const touchInput = bobBrowser.page.getByPlaceholder('write something...');
    await touchInput.pressSequentially('aa');
    await touchInput.press('Enter');
    await touchInput.pressSequentially('bb');
    expect(await touchInput.inputValue()).toBe('aa\nbb');
    expect(await touchInput.getAttribute('enterkeyhint')).toBe('enter');
    await button(bobBrowser.page, 'Send').click();
    await messageWith(annBrowser.page, 'aa').waitFor();
    expect((await messageWith(annBrowser.page, 'aa').allInnerTexts()).join()).toContain('aa\nbb');
    await bobBrowser.page.getByRole('link', { name: 'Back' }).click();

    const keyboardInput = annBrowser.page.getByPlaceholder('write something...');
    await keyboardInput.pressSequentially('cc');
    await keyboardInput.press('Shift+Enter');
    await keyboardInput.pressSequentially('dd');
    for (const composing of [{ isComposing: true }, { keyCode: 229 }])
      await keyboardInput.dispatchEvent('keydown', {
        key: 'Enter',
        bubbles: true,
        cancelable: true,
        ...composing,
      });
    expect(await keyboardInput.inputValue()).toBe('cc\ndd');
    await keyboardInput.press('Enter');
    await messageWithMark(annBrowser.page, 'cc', 'Sent').waitFor();
    expect(await keyboardInput.inputValue()).toBe('');
    expect([...annBrowser.consoleErrors, ...bobBrowser.consoleErrors]).toEqual([]);
  });

  it('the URL of a challenge in a message shows a preview that opens within the app', async () => {
    const { origin, token } = await annBrowser.page.evaluate(() => ({
      origin: location.origin,
      token: localStorage.getItem('token') ?? '',
    }));
    const body = { name: 'Walk around the lake', difficulty: 'Easy' } as const;
    const { id } = await createClient({ baseUrl: origin }).createChallenge({ body }, { token });
    await sendText(annBrowser.page, `Shall we? ${origin}/challenges/${id}`);
    await bobBrowser.page.getByRole('link', { name: new RegExp(ann) }).click();
    const card = messageWith(bobBrowser.page, 'Shall we?').getByRole('article');
    await card.getByText('10 points').waitFor();
    // The log follows its end when the preview is loaded late (53, finding 19).
    await eventually(async () => {
      const rest = await bobBrowser.page
        .getByRole('log')
        .evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
      expect(rest).toBeLessThan(2);
    });
    await card.getByRole('link', { name: body.name }).click();
    await bobBrowser.page.getByRole('heading', { name: body.name }).waitFor();
    await bobBrowser.page.goBack();
    await bobBrowser.page.getByRole('link', { name: 'Back' }).click();
    expect([...annBrowser.consoleErrors, ...bobBrowser.consoleErrors]).toEqual([]);
  });

  it('a message has a menu, by pointer, keyboard and long press (53, finding 18)', async () => {
    const [annsPage, bobsPage] = [annBrowser.page, bobBrowser.page];
    const menu = (page: Page) => page.getByRole('dialog', { name: 'Actions for this message' });
    const openerOf = (page: Page, text: string) =>
      messageWith(page, text).getByRole('button', { name: 'Actions for this message' });
    const isInFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement);
    await sendText(annsPage, 'My password is 1234');
    await messageWith(annsPage, '1234').hover();
    await openerOf(annsPage, '1234').click();
    await menu(annsPage).waitFor();
    const actionsOn = (page: Page) => menu(page).getByRole('button').allInnerTexts();
    // What one can do with a message is asked when its menu opens.
    await eventually(async () => expect(await actionsOn(annsPage)).toEqual(['Reply', 'Copy', 'Delete']));
    expect(await findBarriers(annsPage)).toEqual([]);
    await annsPage.keyboard.press('Escape');
    await menu(annsPage).waitFor({ state: 'detached' });
    await eventually(async () => expect(await isInFocus(openerOf(annsPage, '1234'))).toBe(true));

    await bobsPage.getByRole('link', { name: new RegExp(ann) }).click();
    const text = messageWith(bobsPage, '1234').getByText('1234');
    const box = await text.boundingBox();
    if (!box) throw new Error('the message is not shown');
    const touch = await bobsPage.context().newCDPSession(bobsPage);
    const point = { x: box.x + 20, y: box.y + 10 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await menu(bobsPage).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await eventually(async () => expect(await actionsOn(bobsPage)).toEqual(['Reply', 'Copy', 'Report']));
    expect(await findBarriers(bobsPage)).toEqual([]);
    await button(bobsPage, 'Report').click();
    await bobsPage.getByRole('dialog', { name: 'What is wrong?' }).waitFor();
    await button(bobsPage, 'Cancel').click();
    await openerOf(bobsPage, '1234').click();
    await button(bobsPage, 'Reply').click();
    const composer = bobsPage.getByPlaceholder('write something...');
    await eventually(async () => expect(await isInFocus(composer)).toBe(true));
    expect(await composer.inputValue()).toBe('> My password is 1234\n');
    await composer.press('End');
    await bobsPage.keyboard.insertText('You should not tell me');
    await button(bobsPage, 'Send').click();
    await messageWith(annsPage, 'You should not tell me').locator('blockquote').getByText('1234').waitFor();

    await openerOf(annsPage, '1234').first().focus();
    await annsPage.keyboard.press('Enter');
    await pressKey(menu(annsPage).getByRole('button', { name: 'Delete' }));
    const question = annsPage.getByRole('dialog', { name: 'Delete this message?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    for (const page of [annsPage, bobsPage]) {
      await messageWith(page, 'Message deleted').waitFor();
      await page.reload();
      await messageWith(page, 'Message deleted').waitFor();
      expect(await openerOf(page, 'Message deleted').count()).toBe(0);
    }
    await bobsPage.getByRole('link', { name: 'Back' }).click();
    expect([...annBrowser.consoleErrors, ...bobBrowser.consoleErrors]).toEqual([]);
  });

  it('messages missed offline are shown after reconnecting, in order and once each', async () => {
    await bobBrowser.page.getByRole('link', { name: new RegExp(ann) }).click();
    await messageWith(bobBrowser.page, 'Shall we?').waitFor();
    const before = await bubbles(bobBrowser.page).count();
    await bobBrowser.page.context().setOffline(true);
    await bobBrowser.page.getByText('Connection lost').waitFor({ state: 'attached' });
    await annBrowser.page.getByText('Offline', { exact: true }).waitFor();
    for (const text of ['missed one', 'missed two', 'missed three']) await sendText(annBrowser.page, text);
    await messageWithMark(annBrowser.page, 'missed three', 'Sent').waitFor();
    await sendText(bobBrowser.page, 'from the tunnel');
    await messageWith(bobBrowser.page, 'from the tunnel')
      .filter({ hasText: "Will be sent when you're online" })
      .waitFor();
    // It is sent by itself, so there is nothing to retry (53, finding 20).
    await button(bobBrowser.page, 'Discard').waitFor();
    expect(await button(bobBrowser.page, 'Retry').count()).toBe(0);
    expect(await messageWith(bobBrowser.page, 'missed').count()).toBe(0);

    await bobBrowser.page.context().setOffline(false);
    await messageWith(bobBrowser.page, 'missed three').waitFor();
    // The message that could not be sent is sent automatically.
    await messageWith(annBrowser.page, 'from the tunnel').waitFor();
    await messageWithMark(bobBrowser.page, 'from the tunnel', 'Read').waitFor();
    await annBrowser.page.getByText('Online', { exact: true }).first().waitFor();

    const expected = ['missed one', 'missed two', 'missed three', 'from the tunnel'];
    for (const { page } of [bobBrowser, annBrowser]) {
      await eventually(async () => {
        const all = await bubbles(page).allInnerTexts();
        expect(all.slice(before).map((text) => text.split('\n')[0])).toEqual(expected);
      });
    }
    expect(annBrowser.consoleErrors).toEqual([]);
    expect(bobBrowser.consoleErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual(
      [],
    );
  });

  it('messages of the same author and minute show their time once', async () => {
    const displayedTimes = await bobBrowser.page.getByRole('log').evaluate((log) =>
      // Not the times in previews of challenges.
      [...log.querySelectorAll('article')].flatMap((article) => {
        const time = article.querySelector<HTMLTimeElement>(':scope > footer time');
        if (!time) return [];
        return {
          author: article.getAttribute('aria-label'),
          minute: time.dateTime.slice(0, 'YYYY-MM-DDThh:mm'.length),
          isVisible: time.getBoundingClientRect().width > 1,
        };
      }),
    );
    const expected = displayedTimes.map(({ author, minute }, index) => {
      const next = displayedTimes[index + 1];
      return { author, minute, isVisible: next?.author !== author || next?.minute !== minute };
    });
    expect(displayedTimes).toEqual(expected);
    // Of three messages sent in quick succession, at least two have the same minute.
    expect(displayedTimes.filter(({ isVisible }) => !isVisible).length).toBeGreaterThan(0);
  });

  it('a draft survives a reload, and two tabs show the same number of unread messages', async () => {
    await bobBrowser.page.getByPlaceholder('write something...').fill('not finished');
    await bobBrowser.page.reload();
    await eventually(async () =>
      expect(await field(bobBrowser.page, 'message').inputValue()).toBe('not finished'),
    );

    const secondTab = await annBrowser.page.context().newPage();
    await secondTab.goto('/home');
    await annBrowser.page.goto('/friends');
    await sendText(bobBrowser.page, 'for both tabs');
    for (const page of [secondTab, annBrowser.page]) {
      await page.getByRole('button', { name: `${ann}'s menu, 1 unread message` }).waitFor();
    }
    await button(annBrowser.page, 'Send Message').click();
    await messageWith(annBrowser.page, 'for both tabs').waitFor();
    for (const page of [secondTab, annBrowser.page]) {
      await page.getByRole('button', { name: `${ann}'s menu`, exact: true }).waitFor();
    }
  });

  it('the friends page finds a friend by a part of the name, and says if none matches', async () => {
    const page = await bobBrowser.page.context().newPage();
    await page.goto('/friends');
    const search = page.getByLabel('Search', { exact: true });
    const card = page.getByRole('list', { name: 'Friends' }).getByRole('link', { name: ann });
    await card.waitFor();
    await search.fill('no such friend');
    await page.getByText('No friends match “no such friend”.').waitFor();
    expect(await card.count()).toBe(0);
    await search.fill(ann.slice(1).toUpperCase());
    await page.getByRole('status').getByText('1 friend found').waitFor();
    await card.waitFor();
    await button(page, 'Clear search').click();
    await card.waitFor();
    await page.close();
  });

  it('former friends can read their messages, but not write', async () => {
    await annBrowser.page.getByRole('link', { name: bob, exact: true }).click();
    await button(annBrowser.page, 'Remove friend').click();
    await annBrowser.page.getByRole('dialog').getByRole('button', { name: 'Remove friend' }).click();
    await button(annBrowser.page, 'Add friend').waitFor();
    await bobBrowser.page.reload();
    await bobBrowser.page.getByText('You can read this conversation but not reply.').waitFor();
    await messageWith(bobBrowser.page, 'for both tabs').waitFor();
    await bobBrowser.page.goto('/friends');
    await bobBrowser.page.getByText('No Friends, go find some!').waitFor();
  });

  it('a blocked user does not find the blocker until the block is removed', async () => {
    await button(annBrowser.page, `Block ${bob}`).click();
    await annBrowser.page
      .getByRole('dialog', { name: `Block ${bob}?` })
      .getByRole('button', { name: 'Block', exact: true })
      .click();
    await annBrowser.page.getByText(`You have blocked ${bob}.`).waitFor();
    await button(annBrowser.page, 'Unblock').waitFor();
    expect(await button(annBrowser.page, 'Add friend').count()).toBe(0);
    expect(await button(annBrowser.page, `Block ${bob}`).count()).toBe(0);
    await network?.settle();
    const search = async (text: string) => {
      await bobBrowser.page.goto('/users');
      await bobBrowser.page.getByPlaceholder('Username, first or last name').fill(text);
    };
    await search(ann);
    await bobBrowser.page.getByText(`No users match “${ann}”`).waitFor();

    await annBrowser.page.goto('/settings#privacy');
    await button(annBrowser.page, `Unblock ${bob}`).click();
    await annBrowser.page.getByText("You haven't blocked anyone.").waitFor();
    await network?.settle();
    await search(ann);
    await bobBrowser.page.getByRole('link', { name: ann, exact: true }).waitFor();
  });

  it('no page requests the same data twice when it is opened', async () => {
    const paths = [
      ...[
        '/home',
        '/explore',
        '/challenges',
        '/leaderboard',
        '/users',
        '/profile',
        '/settings#login',
        '/friends',
      ],
      ...['/FriendsInvitation', '/messenger'],
    ];
    const repeated: string[] = [];
    const page = await annBrowser.page.context().newPage();
    let path = '';
    let calls: string[] = [];
    let isConnected = false;
    const pendingRequests = new Set<Request>();
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!/^\/(api|auth)\//.test(pathname)) return;
      pendingRequests.add(request);
      const call = `${request.method()} ${pathname}${search}`;
      if (calls.includes(call)) repeated.push(`${path}: ${call}`);
      calls.push(call);
    });
    page.on('requestfinished', (request) => pendingRequests.delete(request));
    page.on('requestfailed', (request) => pendingRequests.delete(request));
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        isConnected ||= String(payload).includes('getUsers');
      }),
    );
    for (path of paths) {
      await page.goto('/before-paint.js');
      calls = [];
      isConnected = false;
      await page.goto(path);
      await eventually(() => expect(calls).toContainEqual(expect.stringContaining('/api/conversations/')));
      // All requests have been sent by now: those at opening, and those after the socket connected.
      await waitUntilLoaded(page);
      await eventually(() => isConnected);
      await eventually(() => expect([...pendingRequests].map((request) => request.url())).toEqual([]));
    }
    await page.close();
    expect(repeated).toEqual([]);
  });
});
