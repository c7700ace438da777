import { describeWith, eventually, newChallenge, newUser, pressKey, testPassword } from '@wayquest/testing';
import auth from '../src/shared/i18n/en/auth.ts';
import categories from '../src/shared/i18n/en/categories.ts';
import challenge from '../src/shared/i18n/en/challenge.ts';
import challenges from '../src/shared/i18n/en/challenges.ts';
import completion from '../src/shared/i18n/en/completion.ts';
import home from '../src/shared/i18n/en/home.ts';
import layout from '../src/shared/i18n/en/layout.ts';
import leaderboard from '../src/shared/i18n/en/leaderboard.ts';
import messenger from '../src/shared/i18n/en/messenger.ts';
import notifications from '../src/shared/i18n/en/notifications.ts';
import people from '../src/shared/i18n/en/people.ts';
import welcome from '../src/shared/i18n/en/welcome.ts';
import { chinese } from '../src/shared/i18n/zh/index.ts';
import { findBarriers } from './screens/checks.ts';
import { useSite } from './support/start-site.ts';

/** The first steps of a new user on a phone, in each language of the interface. */
const languages = [
  {
    locale: 'en-US',
    texts: {
      ...{ auth, challenge, challenges, completion, home, layout, leaderboard },
      ...{ messenger, notifications, people, categories, welcome },
    },
  },
  { locale: 'zh-CN', texts: chinese },
];

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Fills the placeholders of a text. */
const format = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

(await describeWith('chromium'))('onboarding', () => {
  // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
  const site = useSite({ places: { preload: true } });

  it.each(languages)(
    'leads from the landing page to a completed challenge, a rank, a friend and a chat in $locale',
    async ({ locale, texts }) => {
      const creator = await newUser(site.network);
      const place = { locationName: 'Kissena Park', position: { lat: 40.75, lng: -73.83 } };
      await newChallenge(creator, { name: `Sit by the pond ${locale}`, ...place });
      const { page, consoleErrors } = await site.browser.visitor({ ...phone, locale });
      const username = `new-${locale.toLowerCase()}`;
      const press = (name: string) => pressKey(page.getByRole('button', { name, exact: true }));
      const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor();

      await page.goto('/');
      await heading(texts.home.title);
      await page.getByRole('link', { name: texts.home.signUp }).click();
      const form = page.locator('form').filter({ has: page.locator('[name="username"]') });
      await heading(texts.auth.signupTitle);
      await form.locator('[name="username"]').fill(username);
      await form.locator('[name="password"]').fill(testPassword);
      await form.getByRole('button', { name: texts.auth.signUp, exact: true }).click();

      await heading(texts.welcome.where);
      await press(texts.welcome.skip);
      await heading(texts.welcome.interests);
      await press(texts.categories.park);
      await press(texts.welcome.show);
      await pressKey(page.getByRole('link', { name: `Sit by the pond ${locale}` }).first());
      await press(texts.challenge.join);
      await page.getByRole('button', { name: texts.challenges.complete, exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await press(texts.challenges.complete);
      await heading(texts.completion.titleWithoutCheckIn);
      await press(texts.completion.done);

      await pressKey(page.getByRole('link', { name: texts.layout.leaderboard }));
      await page.getByRole('row').filter({ hasText: username }).filter({ hasText: '10' }).waitFor();
      await page.getByText(new RegExp(format(texts.leaderboard.own, { rank: '\\d+' }))).waitFor();

      const link = (name: string) => page.getByRole('link', { name, exact: true });
      await pressKey(page.getByRole('button', { name: format(texts.layout.menuOf, { username }) }));
      await pressKey(link(texts.layout.friends));
      await pressKey(link(texts.people.users));
      await page.locator('[name="search"]').fill(creator.username);
      const card = page.getByRole('article').filter({ hasText: creator.username });
      await pressKey(card.getByRole('button', { name: texts.people.addFriend }));
      await card.getByRole('button', { name: texts.people.invitationSent }).waitFor();
      const request = await eventually(async () => {
        const [firstRequest] = await creator.client.listFriendRequests();
        if (!firstRequest) throw new Error('no friend request yet');
        return firstRequest;
      });
      await creator.client.acceptFriend({ params: { id: request.id } });

      const { layout } = texts;
      const unread =
        'unreadNotifications_one' in layout
          ? layout.unreadNotifications_one
          : layout.unreadNotifications_other;
      const bell = format(unread, { count: 1 });
      await pressKey(page.getByRole('link', { name: bell }));
      await pressKey(
        page.getByRole('link', {
          name: format(texts.notifications.friendAccepted, { who: creator.username }),
        }),
      );
      await heading(creator.username);
      await press(texts.people.sendMessage);
      await page.getByPlaceholder(texts.messenger.placeholder).fill('你好 Dina');
      await press(texts.messenger.send);
      await page.getByRole('log').getByText('你好 Dina').waitFor();
      await eventually(async () => {
        const [conversation] = await creator.client.listConversations({ params: { userId: creator.me.id } });
        expect(conversation?.unread).toBe(1);
      });
      expect(consoleErrors).toEqual([]);
    },
  );
});
