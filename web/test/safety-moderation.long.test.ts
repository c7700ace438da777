import {
  befriend,
  describeWith,
  eventually,
  newChallenge,
  newEvent,
  newUser,
  type TestUser,
  testPassword,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { activate, findAccessibilityIssues, tabTo, typeInto, viewports } from './support/keyboard.ts';
import { useSite } from './support/start-site.ts';

/** Reports, decisions and appeals, by keyboard only, with an accessibility check at each step. */
(await describeWith('chromium'))('moderation', () => {
  const site = useSite();
  let admin: TestUser;
  beforeAll(async () => {
    const { me, username, ...rest } = await newUser(site.network);
    const rights = { id: me.id, username, admin: true, version: 2 };
    await site.network.bus.publish(newEvent('user.account-changed.v1', rights));
    const token = site.network.signToken({ sub: String(me.id), username, admin: true });
    admin = { ...rest, me, username, token, client: site.network.client(token) };
  });

  type Viewport = (typeof viewports)[number][1];
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const expectAccessible = async (page: Page) => expect(await findAccessibilityIssues(page)).toEqual([]);
  const visit = (path: string, viewport: Viewport, user?: TestUser) =>
    site.visit(path, { viewport, token: user?.token });
  const createUsers = async () => [await newUser(site.network), await newUser(site.network)] as const;
  const sendMessage = async (author: TestUser, recipient: TestUser) => {
    await befriend(author, recipient);
    const { id: conversationId } = await author.client.openConversation({ body: { friend: recipient.me } });
    const text = `Nonsense ${author.me.id}`;
    const message = await author.client.sendMessage({ body: { conversationId, text } });
    return { ...message, conversationId };
  };

  describe.each(viewports)('%s', (_, viewport) => {
    it('receives the request of a place’s owner without an account', async () => {
      const challenge = await newChallenge(await newUser(site.network), { name: 'My own garden' });
      const { page, consoleErrors } = await visit(`/challenges/${challenge.id}`, viewport);
      await activate(button(page, 'I own this place'));
      const dialog = page.getByRole('dialog', { name: 'I own this place' });
      await typeInto(dialog.getByLabel('Why it should be removed'), 'I live here');
      await expectAccessible(page);
      await typeInto(dialog.getByLabel('Email for our answer'), 'owner@wayquest.example');
      await page.keyboard.press('Enter');
      await page.getByText("Thank you. We'll answer by").waitFor();
      await expectAccessible(page);
      const params = { id: `challenge-${challenge.id}` };
      expect(await admin.client.getCase({ params })).toMatchObject({ filed: [{ reason: 'place' }] });
      expect(consoleErrors).toEqual([]);
    });

    it('receives reports of a challenge, a user and a message', async () => {
      const [bob, ann] = await createUsers();
      const challenge = await newChallenge(bob);
      const { conversationId } = await sendMessage(bob, ann);
      await site.network.settle();
      const { page, consoleErrors } = await visit(`/challenges/${challenge.id}`, viewport, ann);
      const report = async (name: string) => {
        await activate(button(page, name));
        const dialog = page.getByRole('dialog', { name: 'What is wrong?' });
        await tabTo(dialog.getByRole('radio', { name: 'Advertising or spam' }));
        await page.keyboard.press('ArrowDown');
        expect(await dialog.getByRole('radio', { name: 'Insults, threats or hate' }).isChecked()).toBe(true);
        await typeInto(dialog.getByLabel('Details (optional)'), 'It is not true');
        await expectAccessible(page);
        await activate(dialog.getByRole('button', { name: 'Send' }));
        await page.getByText("Thank you. We'll review it.").waitFor();
        await dialog.waitFor({ state: 'hidden' });
        await expectAccessible(page);
      };
      await report('Report');
      await page.goto(`/users/${bob.me.id}`);
      await report('Report');
      await page.goto(`/messenger/${conversationId}`);
      await activate(page.getByRole('button', { name: 'Actions for this message' }).first());
      await report('Report');
      const cases = await admin.client.listCases({ query: {} });
      const casesOfBob = cases.filter(({ affectedUser }) => affectedUser?.id === bob.me.id);
      expect(casesOfBob.map(({ kind }) => kind).sort()).toEqual(['challenge', 'message', 'user']);
      expect(consoleErrors).toEqual([]);
    });

    it('lets an admin dismiss a report, add a note, hide, delete and suspend', async () => {
      const [bob, ann] = await createUsers();
      const report = (body: Parameters<typeof ann.client.report>[0]['body']) => ann.client.report({ body });
      const acceptable = await newChallenge(bob, { name: `Nothing wrong ${bob.me.id}` });
      const unacceptable = await newChallenge(bob, { name: `All wrong ${bob.me.id}` });
      const { id, text, conversationId } = await sendMessage(bob, ann);
      await site.network.settle();
      for (const challenge of [acceptable, unacceptable])
        await report({ kind: 'challenge', id: challenge.id, reason: 'false' });
      await report({ kind: 'message', id, conversationId, reason: 'abuse' });
      await report({ kind: 'user', id: bob.me.id, reason: 'spam' });

      const { page, consoleErrors } = await visit('/moderation', viewport, admin);
      const article = page.getByRole('article');
      const open = async (name: string) => {
        await activate(page.getByRole('link', { name }).first());
        await article.getByRole('heading', { name }).waitFor();
        await expectAccessible(page);
      };
      const decide = async (name: string, label = name) => {
        await activate(article.getByRole('button', { name, exact: true }).first());
        const question = page.getByRole('dialog');
        if (name === 'Delete' || name === 'Suspend')
          await activate(question.getByRole('button', { name, exact: true }));
        await article.locator('strong', { hasText: label }).waitFor();
        await expectAccessible(page);
        const back = page.getByRole('link', { name: 'All cases' });
        if (await back.isVisible()) await activate(back);
      };
      await open(acceptable.name);
      await decide('Dismiss');
      await open(unacceptable.name);
      await typeInto(article.getByLabel('Note'), 'Ask the town');
      await activate(article.getByRole('button', { name: 'Add note' }));
      await article.getByText('Ask the town').waitFor();
      await expectAccessible(page);
      await decide('Hide');
      await open(text);
      await decide('Delete');
      await open(bob.username);
      await typeInto(article.getByLabel('Days'), '3');
      await decide('Suspend');
      await eventually(() =>
        expect(
          site.network.client().login({ body: { username: bob.username, password: testPassword } }),
        ).rejects.toMatchObject({ problem: { code: 'suspended' } }),
      );
      const stateOf = async (caseId: string) => {
        const { state, audit } = await admin.client.getCase({ params: { id: caseId } });
        return [state, audit.map(({ action }) => action)];
      };
      expect(await stateOf(`challenge-${acceptable.id}`)).toEqual(['live', ['dismiss']]);
      expect(await stateOf(`challenge-${unacceptable.id}`)).toEqual(['hidden', ['note', 'hide']]);
      expect(await stateOf(`message-${id}`)).toEqual(['deleted', ['delete']]);
      expect(consoleErrors).toEqual([]);
    });

    it('shows decisions to the user, who appeals against a hidden challenge and a suspension', async () => {
      const [bob, ann] = await createUsers();
      const { id } = await newChallenge(bob, { name: 'The old mill' });
      await ann.client.report({ body: { kind: 'challenge', id, reason: 'danger' } });
      await ann.client.report({ body: { kind: 'user', id: bob.me.id, reason: 'abuse' } });
      const challengeCase = { params: { id: `challenge-${id}` } };
      await admin.client.decide({ ...challengeCase, body: { action: 'hide', note: '' } });
      await site.network.settle();

      const { page, consoleErrors } = await visit('/notifications', viewport);
      const form = page.getByRole('form', { name: 'Login' });
      await typeInto(form.getByLabel('Username'), bob.username);
      await typeInto(form.getByLabel('Password', { exact: true }), testPassword);
      await page.keyboard.press('Enter');
      await activate(page.getByRole('link', { name: /The old mill/ }).first());
      // The list of notifications contains 'hidden' too.
      await page.waitForURL('**/decisions');
      await page.getByRole('main').getByText('hidden').first().waitFor();
      await expectAccessible(page);
      await page.goto('/decisions');
      await activate(button(page, 'Appeal'));
      const dialog = page.getByRole('dialog', { name: 'Appeal' });
      await typeInto(dialog.getByLabel('Why we should review it again'), 'It was mended');
      await expectAccessible(page);
      await activate(dialog.getByRole('button', { name: 'Send' }));
      await page.getByText("We'll review it again.").waitFor();
      await page.getByText('You appealed').waitFor();
      await expectAccessible(page);
      expect(await admin.client.getCase(challengeCase)).toMatchObject({
        appeal: { comment: 'It was mended' },
      });
      expect(consoleErrors).toEqual([]);

      const userCase = { params: { id: `user-${bob.me.id}` } };
      await admin.client.decide({ ...userCase, body: { action: 'suspend', days: 3, note: '' } });
      await site.network.settle();
      await page.goto('/login');
      await typeInto(form.getByLabel('Username'), bob.username);
      await typeInto(form.getByLabel('Password', { exact: true }), testPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor();
      await expectAccessible(page);
      const appeal = page.getByRole('form', { name: 'Appeal' });
      await typeInto(appeal.getByLabel('Username'), bob.username);
      await typeInto(appeal.getByLabel('Password', { exact: true }), testPassword);
      await typeInto(appeal.getByLabel('Why we should review it again'), 'It was my brother');
      await activate(appeal.getByRole('button', { name: 'Appeal' }));
      await page.getByText("We'll review it again.").waitFor();
      await expectAccessible(page);
      expect(await admin.client.getCase(userCase)).toMatchObject({
        appeal: { comment: 'It was my brother' },
      });
    });
  });
});
