import {
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  pressOn,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import auth from '../src/shared/i18n/en/auth.ts';
import challenge from '../src/shared/i18n/en/challenge.ts';
import challenges from '../src/shared/i18n/en/challenges.ts';
import completion from '../src/shared/i18n/en/completion.ts';
import home from '../src/shared/i18n/en/home.ts';
import layout from '../src/shared/i18n/en/layout.ts';
import leaderboard from '../src/shared/i18n/en/leaderboard.ts';
import messenger from '../src/shared/i18n/en/messenger.ts';
import notifications from '../src/shared/i18n/en/notifications.ts';
import people from '../src/shared/i18n/en/people.ts';
import scenes from '../src/shared/i18n/en/scenes.ts';
import welcome from '../src/shared/i18n/en/welcome.ts';
import { chinese } from '../src/shared/i18n/zh/index.ts';
import { findBarriers } from './screens/checks.ts';
import { startSite } from './support/start-site.ts';

/** A person's first ten minutes, on a phone, in each language of the interface. */
const languages = [
  {
    locale: 'en-US',
    words: {
      ...{ auth, challenge, challenges, completion, home, layout, leaderboard },
      ...{ messenger, notifications, people, scenes, welcome },
    },
  },
  { locale: 'zh-CN', words: chinese },
];

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** A sentence with what it names. */
const say = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

(await describeWith('chromium'))('the first ten minutes', () => {
  let network: Network;
  let browser: TestBrowser;

  beforeAll(async () => {
    // Reading the places holds all up for a while: better now than in the middle.
    network = await startSite({ places: { readAhead: true } });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  it.each(languages)(
    'leads in $locale from the landing page to points, a rank, a friend and a chat',
    async ({ locale, words }) => {
      const dina = await newUser(network);
      const place = { locationName: 'Kissena Park', position: { lat: 40.75, lng: -73.83 } };
      await newChallenge(dina, { name: `Sit by the pond ${locale}`, ...place });
      const { page, consoleErrors } = await browser.visitor({ ...phone, locale });
      const username = `new-${locale.toLowerCase()}`;
      const press = (name: string) => pressOn(page.getByRole('button', { name, exact: true }));
      const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor();

      await page.goto('/');
      await heading(words.home.title);
      await page.getByRole('link', { name: words.home.signUp }).click();
      const form = page.locator('form').filter({ has: page.locator('[name="username"]') });
      await heading(words.auth.signupTitle);
      await form.locator('[name="username"]').fill(username);
      await form.locator('[name="password"]').fill(testPassword);
      await form.getByRole('button', { name: words.auth.signUp, exact: true }).click();

      await heading(words.welcome.where);
      await press(words.welcome.skip);
      await heading(words.welcome.likes);
      await press(words.scenes.park);
      await press(words.welcome.show);
      await pressOn(page.getByRole('link', { name: `Sit by the pond ${locale}` }).first());
      await press(words.challenge.join);
      await page.getByRole('button', { name: words.challenges.complete, exact: true }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await press(words.challenges.complete);
      await heading(words.completion.title);
      await press(words.completion.done);

      await pressOn(page.getByRole('link', { name: words.layout.leaderboard }));
      await page.getByRole('row').filter({ hasText: username }).filter({ hasText: '10' }).waitFor();
      await page.getByText(new RegExp(say(words.leaderboard.own, { rank: '\\d+' }))).waitFor();

      await pressOn(page.getByRole('link', { name: words.layout.users }));
      await page.locator('[name="search"]').fill(dina.username);
      const card = page.getByRole('article').filter({ hasText: dina.username });
      await pressOn(card.getByRole('button', { name: words.people.addFriend }));
      await card.getByRole('button', { name: words.people.invitationSent }).waitFor();
      const request = await eventually(async () => {
        const [asked] = await dina.client.listFriendRequests();
        if (!asked) throw new Error('nobody has asked yet');
        return asked;
      });
      await dina.client.acceptFriend({ params: { id: request.id } });

      const bell = say(words.layout.notificationsWithNew, { waiting: 1 });
      await pressOn(page.getByRole('link', { name: bell }));
      await pressOn(
        page.getByRole('link', { name: say(words.notifications.friendAccepted, { who: dina.username }) }),
      );
      await heading(dina.username);
      await press(words.people.sendMessage);
      await page.getByPlaceholder(words.messenger.placeholder).fill('你好 Dina');
      await press(words.messenger.send);
      await page.getByRole('log').getByText('你好 Dina').waitFor();
      await eventually(async () => {
        const [conversation] = await dina.client.listConversations({ params: { userId: dina.me.id } });
        expect(conversation?.unread).toBe(1);
      });
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    },
  );
});
