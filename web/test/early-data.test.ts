import { befriend, describeWith, newChallenge, newUser, type TestUser } from '@wayquest/testing';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('the data of the first page', () => {
  const site = useSite();
  let ada: TestUser;
  const ids = { challenge: 0, person: 0, conversation: 0 };

  beforeAll(async () => {
    ada = await newUser(site.network);
    const ben = await newUser(site.network);
    await befriend(ada, ben);
    const conversation = await ada.client.openConversation({
      body: { friend: { id: ben.me.id }, auth: { id: ada.me.id } },
    });
    const challenge = await newChallenge(ben);
    Object.assign(ids, { challenge: challenge.id, person: ben.me.id, conversation: conversation.id });
  });

  /**
   * Opens a page whose code only arrives after its early calls were made.
   *
   * @returns The early calls, and the calls that were made more than once.
   */
  async function open(path: string, token?: string) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const calls: string[] = [];
    const { page, consoleErrors } = await site.browser.visitor(token ? { token } : {});
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(api|auth)\//.test(pathname)) calls.push(pathname + search);
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.earlyData !== undefined);
    const early = await page.evaluate(() => [...(window.earlyData?.responses.keys() ?? [])]);
    release();
    await page.waitForFunction(() => window.earlyData?.responses.size === 0);
    await page.waitForLoadState('networkidle');
    expect(consoleErrors).toEqual([]);
    return { early, repeated: calls.filter((url, index) => calls.indexOf(url) < index) };
  }

  it.each([
    ['/challenges', 1],
    ['/challenges/{challenge}', 2],
    ['/Leaderboard', 1],
    ['/home', 0],
  ])('are requested once, while the code of %s is loaded, for a visitor', async (pattern, count) => {
    const { early, repeated } = await open(pattern.replace('{challenge}', String(ids.challenge)));
    expect({ count: early.length, repeated }).toEqual({ count, repeated: [] });
  });

  it.each([
    ['/home', 3],
    ['/challenges', 3],
    ['/challenges/{challenge}', 5],
    ['/leaderboard', 3],
    ['/users/{person}', 4],
    ['/friends', 1],
    ['/profile', 2],
    ['/Messenger', 2],
    ['/messenger/{conversation}', 3],
  ])('are requested once, while the code of %s is loaded, for a member', async (pattern, count) => {
    const path = Object.entries(ids).reduce(
      (path, [name, id]) => path.replace(`{${name}}`, String(id)),
      pattern,
    );
    const { early, repeated } = await open(path, ada.token);
    expect({ count: early.length, repeated }).toEqual({ count, repeated: [] });
  });

  it('are not requested early with an expired token', async () => {
    const token = site.network.signToken({ sub: String(ada.me.id), exp: 1 });
    const { page } = await site.visit('/leaderboard', { token });
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    expect(await page.evaluate(() => window.earlyData)).toBeUndefined();
  });
});
