import { befriend, describeWith, eventually, newChallenge, newUser, testPassword } from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { useSite } from './support/start-site.ts';

const languages = [
  [
    'English',
    {
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
      deletedName: 'Deleted user',
      closedNotice: 'This account was deleted. You can read this conversation but not reply.',
      createdBy: 'Created by Deleted user',
      notFound: 'User not found',
    },
  ],
  [
    'Chinese',
    {
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
      deletedName: '已注销用户',
      closedNotice: '此账号已注销。这里的消息还能看，但不能再发。',
      createdBy: '发起人 已注销用户',
      notFound: '没有找到这个用户',
    },
  ],
] as const;

(await describeWith('chromium'))('a deleted user', () => {
  const site = useSite({
    auth: { deletionsEveryMs: 20 },
    settings: { DELETION_GRACE_DAYS: '0' },
  });

  it.each(languages)(
    'is shown without name and link in messages, challenges and profiles, in %s',
    async (_, { locale, viewport, ...texts }) => {
      const [deletedUser, ann] = [await newUser(site.network), await newUser(site.network)];
      await deletedUser.client.updateMe({ body: { firstName: 'Lefty', lastName: 'Leaver' } });
      await befriend(deletedUser, ann);
      const challenge = await newChallenge(deletedUser, { name: 'The old mill' });
      await ann.client.joinChallenge({ body: { challengeId: challenge.id } });
      const conversation = await deletedUser.client.openConversation({ body: { friend: ann.me } });
      const conversationId = conversation.id;
      await deletedUser.client.sendMessage({ body: { conversationId, text: 'See you at the river' } });
      await ann.client.sendMessage({ body: { conversationId, text: 'At noon' } });
      await site.network.settle();

      const { page, consoleErrors } = await site.visit(`/messenger/${conversationId}`, {
        locale,
        viewport,
        token: ann.token,
      });
      await page.getByRole('link', { name: deletedUser.username }).first().waitFor();
      const log = page.getByRole('log');
      await log.getByRole('article', { name: deletedUser.username }).waitFor();

      await deletedUser.client.deleteAccount({ body: { currentPassword: testPassword } });
      await eventually(() =>
        expect(ann.client.getUser({ params: { id: deletedUser.me.id } })).rejects.toMatchObject({
          status: 404,
        }),
      );
      await site.network.settle();

      const expectNoPersonalData = async () => {
        const html = await page.content();
        for (const name of [deletedUser.username, 'Lefty', 'Leaver']) expect(html).not.toContain(name);
        expect(await page.locator(`a[href="/users/${deletedUser.me.id}"]`).count()).toBe(0);
        expect(await findBarriers(page)).toEqual([]);
      };
      await page.goto(`/messenger/${conversationId}`);
      await log
        .getByRole('article', { name: texts.deletedName })
        .filter({ hasText: 'See you at the river' })
        .waitFor();
      await page.getByRole('heading', { level: 2, name: texts.deletedName, exact: true }).waitFor();
      await page.getByText(texts.closedNotice).waitFor();
      expect(await page.getByRole('textbox').count()).toBe(0);
      await expectNoPersonalData();

      await page.goto(`/challenges/${challenge.id}`);
      await page.getByText(texts.createdBy).waitFor();
      await expectNoPersonalData();

      await page.goto('/challenges');
      await page.getByText('The old mill').first().waitFor();
      await expectNoPersonalData();

      await page.goto('/messenger');
      await page.getByRole('link', { name: texts.deletedName }).waitFor();
      await expectNoPersonalData();
      expect(consoleErrors).toEqual([]);

      await page.goto(`/users/${deletedUser.me.id}`);
      await page.getByRole('heading', { level: 1, name: texts.notFound }).waitFor();
      await expectNoPersonalData();
    },
  );
});
