import {
  befriend,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { startSite } from './support/start-site.ts';

const languages = [
  [
    'English',
    {
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
      gone: 'Deleted user',
      closed: 'This account was deleted. You can read this conversation but not reply.',
      createdBy: 'Created by Deleted user',
      nobody: 'User not found',
    },
  ],
  [
    'Chinese',
    {
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
      gone: '已注销用户',
      closed: '此账号已注销。这里的消息还能看，但不能再发。',
      createdBy: '发起人 已注销用户',
      nobody: '没有找到这个用户',
    },
  ],
] as const;

(await describeWith('chromium'))('a deleted user', () => {
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    network = await startSite({
      auth: { deletionsEveryMs: 20 },
      settings: { DELETION_GRACE_DAYS: '0' },
    });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it.each(languages)('is shown without a name, in %s', async (_, { locale, viewport, ...words }) => {
    const [left, ann] = [await newUser(network), await newUser(network)];
    await left.client.updateMe({ body: { firstName: 'Lefty', lastName: 'Leaver' } });
    await befriend(left, ann);
    const challenge = await newChallenge(left, { name: 'The old mill' });
    await ann.client.joinChallenge({ body: { challengeId: challenge.id } });
    const conversation = await left.client.openConversation({ body: { friend: ann.me } });
    const conversationId = conversation.id;
    await left.client.sendMessage({ body: { conversationId, text: 'See you at the river' } });
    await ann.client.sendMessage({ body: { conversationId, text: 'At noon' } });
    await network.settle();

    const { page, consoleErrors } = await browser.visitor({ locale, viewport });
    await page.addInitScript((token) => localStorage.setItem('token', token), ann.token);
    await page.goto(`/messenger/${conversationId}`);
    await page.getByRole('link', { name: left.username }).first().waitFor();
    const log = page.getByRole('log');
    await log.getByRole('article', { name: left.username }).waitFor();

    await left.client.deleteAccount({ body: { currentPassword: testPassword } });
    await eventually(() =>
      expect(ann.client.getUser({ params: { id: left.me.id } })).rejects.toMatchObject({ status: 404 }),
    );
    await network.settle();

    const isForgotten = async () => {
      const html = await page.content();
      for (const name of [left.username, 'Lefty', 'Leaver']) expect(html).not.toContain(name);
      expect(await page.locator(`a[href="/users/${left.me.id}"]`).count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    };
    await page.goto(`/messenger/${conversationId}`);
    await log
      .getByRole('article', { name: words.gone })
      .filter({ hasText: 'See you at the river' })
      .waitFor();
    await page.getByRole('heading', { level: 2, name: words.gone, exact: true }).waitFor();
    await page.getByText(words.closed).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await isForgotten();

    await page.goto(`/challenges/${challenge.id}`);
    await page.getByText(words.createdBy).waitFor();
    await isForgotten();

    await page.goto('/challenges');
    await page.getByText('The old mill').first().waitFor();
    await isForgotten();

    await page.goto('/messenger');
    await page.getByRole('link', { name: words.gone }).waitFor();
    await isForgotten();
    expect(consoleErrors).toEqual([]);

    await page.goto(`/users/${left.me.id}`);
    await page.getByRole('heading', { level: 1, name: words.nobody }).waitFor();
    await isForgotten();
  });
});
