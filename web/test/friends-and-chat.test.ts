import { randomBytes } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import {
  describeWith,
  eventually,
  type Network,
  openBrowser,
  type TestBrowser,
  type Visitor,
} from '@wayquest/testing';
import type { Page, Request } from 'playwright-core';
import { waitUntilLoaded } from './screens/fixture.ts';
import { signUp } from './support/sign-up.ts';
import { startSite } from './support/start-site.ts';

/** Two people become friends and talk, each in a browser of their own; against WAYQUEST_URL if that is set. */

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** What a message shows of a challenge is an article of its own. */
const bubbles = (page: Page) => page.getByRole('log').locator('article[aria-label]');
const said = (page: Page, text: string) => bubbles(page).filter({ hasText: text });

async function becomeMember({ page }: Visitor, username: string) {
  await page.goto('/signup');
  await signUp(page, username);
  await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
}

async function write(page: Page, text: string) {
  await page.getByPlaceholder('write something...').fill(text);
  await button(page, 'Send').click();
}

/** One's own message with that mark under it. */
const marked = (page: Page, text: string, mark: 'Sent' | 'Read') =>
  said(page, text).filter({ has: page.getByRole('img', { name: mark }) });

(await describeWith('chromium'))('friends in browsers', () => {
  let network: Network | undefined;
  let browser: TestBrowser;
  const run = randomBytes(3).toString('hex');
  const ann = `ann-${run}`;
  const bob = `bob-${run}`;
  let hers: Visitor;
  let his: Visitor;

  beforeAll(async () => {
    const address = process.env.WAYQUEST_URL;
    // Reading the places holds all up for a while: better now than in the middle.
    network = address ? undefined : await startSite({ places: { readAhead: true } });
    browser = await openBrowser(address ?? network?.url ?? '');
    hers = await browser.visitor();
    his = await browser.visitor(phone);
    await becomeMember(hers, ann);
    await becomeMember(his, bob);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it('one finds the other and sends a request, the other accepts, and both see it without a reload', async () => {
    await his.page.goto('/FriendsInvitation');
    await his.page.getByText('No pending requests').waitFor();
    await hers.page.goto('/users');
    await hers.page.getByText('Suggested Friends').waitFor();
    await field(hers.page, 'search').fill(bob.toUpperCase());
    const card = hers.page.getByRole('article').filter({ hasText: bob });
    await card.getByRole('button', { name: 'Add friend' }).click();
    await card.getByRole('button', { name: 'Invitation Sent' }).waitFor();

    await his.page.getByRole('button', { name: `${bob}'s menu, 1 new` }).waitFor();
    await his.page.getByRole('button', { name: `Accept ${ann}` }).click();
    await his.page.getByText('No pending requests').waitFor();
    await card.getByText('Friends', { exact: true }).waitFor();
  });

  it('they chat live: unread counts, presence, typing and read marks are shown', async () => {
    await hers.page.goto('/friends');
    await button(hers.page, 'Send Message').click();
    await hers.page.waitForURL(/\/messenger\/\d+$/);
    await hers.page.getByText('Online', { exact: true }).first().waitFor();

    await write(hers.page, 'Hello!\nSee https://example.com/park <b>soon</b>');
    await marked(hers.page, 'Hello!', 'Sent').waitFor();
    await his.page.getByRole('button', { name: `${bob}'s menu, 1 new` }).waitFor();
    await write(hers.page, 'Are you there?');
    await his.page.getByRole('button', { name: `${bob}'s menu, 2 new` }).waitFor();

    await his.page.goto('/messenger');
    await his.page.getByRole('link', { name: new RegExp(`${ann}.*2 unread`) }).click();
    await said(his.page, 'Are you there?').waitFor();
    await said(his.page, '<b>soon</b>').waitFor();
    const link = his.page.getByRole('link', { name: 'https://example.com/park' });
    expect(await link.getAttribute('rel')).toContain('noopener');
    await his.page.getByRole('button', { name: `${bob}'s menu`, exact: true }).waitFor();
    await marked(hers.page, 'Are you there?', 'Read').waitFor();

    await his.page.getByPlaceholder('write something...').fill('Yes');
    await hers.page.getByText(`${bob} is typing…`).waitFor();
    await button(his.page, 'Send').click();
    await said(hers.page, 'Yes').waitFor();
    await eventually(async () =>
      expect(await hers.page.getByRole('log').getByText('today', { exact: true }).count()).toBe(1),
    );
    await marked(his.page, 'Yes', 'Read').waitFor();

    await his.page.getByRole('link', { name: 'Back' }).click();
    await his.page.getByRole('link', { name: new RegExp(ann) }).waitFor();
    expect([...hers.consoleErrors, ...his.consoleErrors]).toEqual([]);
  });

  it('field case 17: a pasted message that is too long stays complete, says by how much, and is not sent', async () => {
    const { page } = hers;
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
    // The browser leads to what has to be changed.
    await eventually(() => composer.evaluate((field) => field === document.activeElement));

    // The units of the server: an emoji has two, and white space at the ends none.
    await composer.fill('😀'.repeat(1_001));
    await page.getByText('2,002 of 2,000 characters: shorten it by 2').waitFor();
    expect(sent).toEqual([]);
    await composer.fill(`  ${'b'.repeat(2_000)}  `);
    await page.getByText('2,000 of 2,000 characters', { exact: true }).waitFor();
    await composer.press('Enter');
    await marked(page, 'bbbb', 'Sent').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('says at the input that a message needs a text when Send is pressed without one', async () => {
    const { page } = hers;
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

  it('truncates a long name in the list, and shows all of it on request', async () => {
    const page = await hers.page.context().newPage();
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

  it('field case 18: Enter breaks the line on a touch keyboard, and sends from a hardware keyboard', async () => {
    await his.page.getByRole('link', { name: new RegExp(ann) }).click();
    const touched = his.page.getByPlaceholder('write something...');
    await touched.pressSequentially('aa');
    await touched.press('Enter');
    await touched.pressSequentially('bb');
    expect(await touched.inputValue()).toBe('aa\nbb');
    expect(await touched.getAttribute('enterkeyhint')).toBe('enter');
    await button(his.page, 'Send').click();
    await said(hers.page, 'aa').waitFor();
    expect((await said(hers.page, 'aa').allInnerTexts()).join()).toContain('aa\nbb');
    await his.page.getByRole('link', { name: 'Back' }).click();

    const typed = hers.page.getByPlaceholder('write something...');
    await typed.pressSequentially('cc');
    await typed.press('Shift+Enter');
    await typed.pressSequentially('dd');
    for (const composing of [{ isComposing: true }, { keyCode: 229 }])
      await typed.dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...composing });
    expect(await typed.inputValue()).toBe('cc\ndd');
    await typed.press('Enter');
    await marked(hers.page, 'cc', 'Sent').waitFor();
    expect(await typed.inputValue()).toBe('');
    expect([...hers.consoleErrors, ...his.consoleErrors]).toEqual([]);
  });

  it('the URL of a challenge shows a preview of it, and opens within the app', async () => {
    const { origin, token } = await hers.page.evaluate(() => ({
      origin: location.origin,
      token: localStorage.getItem('token') ?? '',
    }));
    const body = { name: 'Walk around the lake', difficulty: 'Easy' } as const;
    const { id } = await createClient({ baseUrl: origin }).createChallenge({ body }, { token });
    await write(hers.page, `Shall we? ${origin}/challenges/${id}`);
    await his.page.getByRole('link', { name: new RegExp(ann) }).click();
    const card = said(his.page, 'Shall we?').getByRole('article');
    await card.getByText('10 points').waitFor();
    await card.getByRole('link', { name: body.name }).click();
    await his.page.getByRole('heading', { name: body.name }).waitFor();
    await his.page.goBack();
    await his.page.getByRole('link', { name: 'Back' }).click();
    expect([...hers.consoleErrors, ...his.consoleErrors]).toEqual([]);
  });

  it('messages missed offline are there after reconnecting, in order, once each', async () => {
    await his.page.getByRole('link', { name: new RegExp(ann) }).click();
    await said(his.page, 'Shall we?').waitFor();
    const before = await bubbles(his.page).count();
    await his.page.context().setOffline(true);
    await his.page.getByText('Connection lost').waitFor({ state: 'attached' });
    await hers.page.getByText('Offline', { exact: true }).waitFor();
    for (const text of ['missed one', 'missed two', 'missed three']) await write(hers.page, text);
    await marked(hers.page, 'missed three', 'Sent').waitFor();
    await write(his.page, 'from the tunnel');
    await said(his.page, 'from the tunnel').filter({ hasText: 'Not sent' }).waitFor();
    expect(await said(his.page, 'missed').count()).toBe(0);

    await his.page.context().setOffline(false);
    await said(his.page, 'missed three').waitFor();
    // What could not be sent goes by itself.
    await said(hers.page, 'from the tunnel').waitFor();
    await marked(his.page, 'from the tunnel', 'Read').waitFor();
    await hers.page.getByText('Online', { exact: true }).first().waitFor();

    const expected = ['missed one', 'missed two', 'missed three', 'from the tunnel'];
    for (const { page } of [his, hers]) {
      await eventually(async () => {
        const all = await bubbles(page).allInnerTexts();
        expect(all.slice(before).map((text) => text.split('\n')[0])).toEqual(expected);
      });
    }
    expect(hers.consoleErrors).toEqual([]);
    expect(his.consoleErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('messages of one person and one minute show their time once', async () => {
    const shown = await his.page.getByRole('log').evaluate((log) =>
      // Not those in a message, which are of a challenge.
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
    const expected = shown.map(({ author, minute }, place) => {
      const next = shown[place + 1];
      return { author, minute, isVisible: next?.author !== author || next?.minute !== minute };
    });
    expect(shown).toEqual(expected);
    // Of three that were written one after the other, two at least are of one minute.
    expect(shown.filter(({ isVisible }) => !isVisible).length).toBeGreaterThan(0);
  });

  it('a draft survives a reload; two tabs agree on unread messages', async () => {
    await his.page.getByPlaceholder('write something...').fill('not finished');
    await his.page.reload();
    await eventually(async () => expect(await field(his.page, 'message').inputValue()).toBe('not finished'));

    const second = await hers.page.context().newPage();
    await second.goto('/home');
    await hers.page.goto('/friends');
    await write(his.page, 'for both tabs');
    for (const page of [second, hers.page]) {
      await page.getByRole('button', { name: `${ann}'s menu, 1 new` }).waitFor();
    }
    await button(hers.page, 'Send Message').click();
    await said(hers.page, 'for both tabs').waitFor();
    for (const page of [second, hers.page]) {
      await page.getByRole('button', { name: `${ann}'s menu`, exact: true }).waitFor();
    }
  });

  it('finds a friend by a part of a name, and says if nobody matches', async () => {
    const page = await his.page.context().newPage();
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
    await hers.page.getByRole('link', { name: bob, exact: true }).click();
    await button(hers.page, 'Remove friend').click();
    await hers.page.getByRole('dialog').getByRole('button', { name: 'Remove friend' }).click();
    await button(hers.page, 'Add friend').waitFor();
    await his.page.reload();
    await his.page.getByText('You can read this conversation but not reply.').waitFor();
    await said(his.page, 'for both tabs').waitFor();
    await his.page.goto('/friends');
    await his.page.getByText('No Friends, go find some!').waitFor();
  });

  it('a blocker and the blocked user do not find each other, until the block is lifted', async () => {
    await button(hers.page, `Block ${bob}`).click();
    await hers.page
      .getByRole('dialog', { name: `Block ${bob}?` })
      .getByRole('button', { name: 'Block', exact: true })
      .click();
    await hers.page.getByText(`You have blocked ${bob}.`).waitFor();
    await button(hers.page, 'Unblock').waitFor();
    expect(await button(hers.page, 'Add friend').count()).toBe(0);
    expect(await button(hers.page, `Block ${bob}`).count()).toBe(0);
    await network?.settle();
    const search = async (text: string) => {
      await his.page.goto('/users');
      await his.page.getByPlaceholder('Username, first or last name').fill(text);
    };
    await search(ann);
    await his.page.getByText(`No users match “${ann}”`).waitFor();

    await hers.page.goto('/settings');
    await button(hers.page, `Unblock ${bob}`).click();
    await hers.page.getByText("You haven't blocked anyone.").waitFor();
    await network?.settle();
    await search(ann);
    await his.page.getByRole('link', { name: ann, exact: true }).waitFor();
  });

  it('loads nothing twice, whichever page a member opens', async () => {
    const paths = [
      ...['/home', '/explore', '/challenges', '/leaderboard', '/users', '/profile', '/settings', '/friends'],
      ...['/FriendsInvitation', '/messenger'],
    ];
    const repeated: string[] = [];
    for (const path of paths) {
      const page = await hers.page.context().newPage();
      const asked: string[] = [];
      const underWay = new Set<Request>();
      let greeted = false;
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (!/^\/(api|auth)\//.test(pathname)) return;
        underWay.add(request);
        const call = `${request.method()} ${pathname}${search}`;
        if (asked.includes(call)) repeated.push(`${path}: ${call}`);
        asked.push(call);
      });
      page.on('requestfinished', (request) => underWay.delete(request));
      page.on('requestfailed', (request) => underWay.delete(request));
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          greeted ||= String(payload).includes('getUsers');
        }),
      );
      await page.goto(path);
      await eventually(() => expect(asked).toContainEqual(expect.stringContaining('/api/conversations/')));
      // What a page asks for it has asked by now: when it had opened, and once more when its socket had.
      await waitUntilLoaded(page);
      await eventually(() => greeted);
      await eventually(() => expect([...underWay].map((request) => request.url())).toEqual([]));
      await page.close();
    }
    expect(repeated).toEqual([]);
  });
});
