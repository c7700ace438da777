import {
  befriend,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newEvent,
  newUser,
  openBrowser,
  type TestBrowser,
  type TestUser,
  testPassword,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { findObstacles, pressTo, tabTo, windows, writeIn } from './support/keyboard.ts';
import { startSite } from './support/start-site.ts';

/** What people do about what is wrong, by Tab and typing alone, and with no barrier at any stop. */
(await describeWith('chromium'))('moderation', () => {
  let network: Network;
  let browser: TestBrowser;
  let admin: TestUser;
  beforeAll(async () => {
    network = await startSite();
    browser = await openBrowser(network.url);
    const { me, username, ...rest } = await newUser(network);
    const rights = { id: me.id, username, admin: true, version: 2 };
    await network.bus.publish(newEvent('user.account-changed.v1', rights));
    const token = network.signToken({ sub: String(me.id), username, admin: true });
    admin = { ...rest, me, username, token, client: network.client(token) };
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  type Viewport = (typeof windows)[number][1];
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const isFree = async (page: Page) => expect(await findObstacles(page)).toEqual([]);
  const visit = async (path: string, viewport: Viewport, user?: TestUser) => {
    const { page, consoleErrors } = await browser.visitor({ viewport });
    if (user) await page.addInitScript((token) => localStorage.setItem('token', token), user.token);
    await page.goto(path);
    return { page, consoleErrors };
  };
  const people = async () => [await newUser(network), await newUser(network)] as const;
  const written = async (by: TestUser, to: TestUser) => {
    await befriend(by, to);
    const { id: conversationId } = await by.client.openConversation({ body: { friend: to.me } });
    const text = `Nonsense ${by.me.id}`;
    const message = await by.client.sendMessage({ body: { conversationId, text } });
    return { ...message, conversationId };
  };

  describe.each(windows)('%s', (_, viewport) => {
    it('is requested by the owner of a place, without an account', async () => {
      const challenge = await newChallenge(await newUser(network), { name: 'My own garden' });
      const { page, consoleErrors } = await visit(`/challenges/${challenge.id}`, viewport);
      await pressTo(button(page, 'This is about my place'));
      const dialog = page.getByRole('dialog', { name: 'This is about my place' });
      await writeIn(dialog.getByLabel('Why it should be removed'), 'I live here');
      await isFree(page);
      await writeIn(dialog.getByLabel('Email for our answer'), 'owner@wayquest.example');
      await page.keyboard.press('Enter');
      await page.getByText("Thank you. We'll answer by").waitFor();
      await isFree(page);
      const params = { id: `challenge-${challenge.id}` };
      expect(await admin.client.getCase({ params })).toMatchObject({ filed: [{ reason: 'place' }] });
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('gets reports of a challenge, a person and a message', async () => {
      const [bob, ann] = await people();
      const challenge = await newChallenge(bob);
      const { conversationId } = await written(bob, ann);
      await network.settle();
      const { page, consoleErrors } = await visit(`/challenges/${challenge.id}`, viewport, ann);
      const report = async (name: string) => {
        await pressTo(button(page, name));
        const dialog = page.getByRole('dialog', { name: 'What is wrong?' });
        await tabTo(dialog.getByRole('radio', { name: 'Advertising or spam' }));
        await page.keyboard.press('ArrowDown');
        expect(await dialog.getByRole('radio', { name: 'Insults, threats or hate' }).isChecked()).toBe(true);
        await writeIn(dialog.getByLabel('Details (optional)'), 'It is not true');
        await isFree(page);
        await pressTo(dialog.getByRole('button', { name: 'Send' }));
        await page.getByText("Thank you. We'll review it.").waitFor();
        await dialog.waitFor({ state: 'hidden' });
        await isFree(page);
      };
      await report('Report');
      await page.goto(`/users/${bob.me.id}`);
      await report('Report');
      await page.goto(`/messenger/${conversationId}`);
      await report('Report this message');
      const cases = await admin.client.listCases({ query: {} });
      const ofBob = cases.filter(({ concerned }) => concerned?.id === bob.me.id);
      expect(ofBob.map(({ kind }) => kind).sort()).toEqual(['challenge', 'message', 'user']);
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('is done by an admin, who dismisses, notes, hides, deletes and suspends', async () => {
      const [bob, ann] = await people();
      const report = (body: Parameters<typeof ann.client.report>[0]['body']) => ann.client.report({ body });
      const right = await newChallenge(bob, { name: `Nothing wrong ${bob.me.id}` });
      const wrong = await newChallenge(bob, { name: `All wrong ${bob.me.id}` });
      const { id, text, conversationId } = await written(bob, ann);
      await network.settle();
      for (const challenge of [right, wrong])
        await report({ kind: 'challenge', id: challenge.id, reason: 'false' });
      await report({ kind: 'message', id, conversationId, reason: 'abuse' });
      await report({ kind: 'user', id: bob.me.id, reason: 'spam' });

      const { page, consoleErrors } = await visit('/moderation', viewport, admin);
      const article = page.getByRole('article');
      const open = async (name: string) => {
        await pressTo(page.getByRole('link', { name }).first());
        await article.getByRole('heading', { name }).waitFor();
        await isFree(page);
      };
      const decide = async (name: string, said = name) => {
        await pressTo(article.getByRole('button', { name, exact: true }));
        await article.locator('strong', { hasText: said }).waitFor();
        await isFree(page);
        const back = page.getByRole('link', { name: 'All cases' });
        if (await back.isVisible()) await pressTo(back);
      };
      await open(right.name);
      await decide('Dismiss');
      await open(wrong.name);
      await writeIn(article.getByLabel('Note'), 'Ask the town');
      await pressTo(article.getByRole('button', { name: 'Add note' }));
      await article.getByText('Ask the town').waitFor();
      await isFree(page);
      await decide('Hide');
      await open(text);
      await decide('Delete');
      await open(bob.username);
      await writeIn(article.getByLabel('Days'), '3');
      await decide('Suspend');
      await eventually(() =>
        expect(
          network.client().login({ body: { username: bob.username, password: testPassword } }),
        ).rejects.toMatchObject({ problem: { code: 'suspended' } }),
      );
      const stateOf = async (kaseId: string) => {
        const { state, audit } = await admin.client.getCase({ params: { id: kaseId } });
        return [state, audit.map(({ action }) => action)];
      };
      expect(await stateOf(`challenge-${right.id}`)).toEqual(['live', ['dismiss']]);
      expect(await stateOf(`challenge-${wrong.id}`)).toEqual(['hidden', ['note', 'hide']]);
      expect(await stateOf(`message-${id}`)).toEqual(['deleted', ['delete']]);
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('is shown to the owner, who appeals, and once more when suspended', async () => {
      const [bob, ann] = await people();
      const { id } = await newChallenge(bob, { name: 'The old mill' });
      await ann.client.report({ body: { kind: 'challenge', id, reason: 'danger' } });
      await ann.client.report({ body: { kind: 'user', id: bob.me.id, reason: 'abuse' } });
      const ofChallenge = { params: { id: `challenge-${id}` } };
      await admin.client.decide({ ...ofChallenge, body: { action: 'hide', note: '' } });
      await network.settle();

      const { page, consoleErrors } = await visit('/notifications', viewport);
      const form = page.getByRole('form', { name: 'Login' });
      await writeIn(form.getByLabel('Username'), bob.username);
      await writeIn(form.getByLabel('Password', { exact: true }), testPassword);
      await page.keyboard.press('Enter');
      await pressTo(page.getByRole('link', { name: /The old mill/ }).first());
      // The list that the link stands in says 'hidden' too.
      await page.waitForURL('**/decisions');
      await page.getByRole('main').getByText('hidden').first().waitFor();
      await isFree(page);
      await page.goto('/decisions');
      await pressTo(button(page, 'Appeal'));
      const dialog = page.getByRole('dialog', { name: 'Appeal' });
      await writeIn(dialog.getByLabel('Why we should review it again'), 'It was mended');
      await isFree(page);
      await pressTo(dialog.getByRole('button', { name: 'Send' }));
      await page.getByText("We'll review it again.").waitFor();
      await page.getByText('You appealed').waitFor();
      await isFree(page);
      expect(await admin.client.getCase(ofChallenge)).toMatchObject({ appeal: { words: 'It was mended' } });
      expect(consoleErrors).toEqual([]);

      const ofPerson = { params: { id: `user-${bob.me.id}` } };
      await admin.client.decide({ ...ofPerson, body: { action: 'suspend', days: 3, note: '' } });
      await network.settle();
      await page.goto('/login');
      await writeIn(form.getByLabel('Username'), bob.username);
      await writeIn(form.getByLabel('Password', { exact: true }), testPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor();
      await isFree(page);
      const appeal = page.getByRole('form', { name: 'Appeal' });
      await writeIn(appeal.getByLabel('Username'), bob.username);
      await writeIn(appeal.getByLabel('Password', { exact: true }), testPassword);
      await writeIn(appeal.getByLabel('Why we should review it again'), 'It was my brother');
      await pressTo(appeal.getByRole('button', { name: 'Appeal' }));
      await page.getByText("We'll review it again.").waitFor();
      await isFree(page);
      expect(await admin.client.getCase(ofPerson)).toMatchObject({ appeal: { words: 'It was my brother' } });
      await page.context().close();
    });
  });
});
