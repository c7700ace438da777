import { describeWith, newUser, pressKey, testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { admin } from '../../infra/admin/test/admin-process.ts';
import { findBarriers, findLayoutIssues } from './screens/checks.ts';
import { signUp } from './support/sign-up.ts';
import { useSite } from './support/start-site.ts';

const phone = { viewport: { width: 390, height: 844 } };

/** What axe and the layout checks find in a page. */
const issuesOf = async (page: Page) => [...(await findBarriers(page)), ...(await findLayoutIssues(page))];

(await describeWith('chromium'))('the sign-up page where an invitation is needed', () => {
  const site = useSite({ settings: { REGISTRATION: 'invitation' } });

  /** Makes an invitation by the command of operators; returns its path. */
  const invite = async (): Promise<string> => {
    const { mongoUrl: MONGO_URL, databasePrefix: INSTALLATION } = site.network;
    const { output } = await admin(['invite'], { MONGO_URL, INSTALLATION });
    return output.split('\n')[0] ?? '';
  };

  it('takes the code from the link, and shows it in no address from then on', async () => {
    const path = await invite();
    const code = new URLSearchParams(path.split('?')[1]).get('invitation') ?? '';
    const { page, consoleErrors } = await site.browser.visitor(phone);
    const referrers: (string | undefined)[] = [];
    page.on('request', (request) => referrers.push(request.headers().referer));
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === '/signup' && url.search === '');
    const field = page.getByLabel('Invitation code');
    await field.waitFor();
    expect(await field.inputValue()).toBe(code);
    expect(await issuesOf(page)).toEqual([]);

    // It is still there after a visit to the login, and after a reload.
    await page.getByRole('link', { name: 'Already have an account? Log in' }).click();
    await page.getByRole('link', { name: "Don't have an account? Create Account" }).click();
    await page.reload();
    expect(await field.inputValue()).toBe(code);
    const google = page.getByRole('link', { name: 'Sign Up with Google' });
    expect(await google.getAttribute('href')).toBe(`/api/googleOauth?invitation=${code}`);

    referrers.length = 0;
    await signUp(page, 'invited-by-link');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
    expect(referrers.filter((referrer) => referrer?.includes(code))).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  it('says without one that an invitation is needed, and takes a pasted link, by keyboard only', async () => {
    const path = await invite();
    const { page } = await site.visit('/signup', phone);
    await page.getByText('You need an invitation to sign up here').waitFor();
    const field = page.getByLabel('Invitation code');
    await page.locator('[name="username"]').fill('invited-by-paste');
    await page.locator('[name="password"]').fill(testPassword);
    await pressKey(page.getByRole('button', { name: 'Sign Up', exact: true }));
    // The field that is missing gets the focus.
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'invitation');
    expect(await issuesOf(page)).toEqual([]);

    await field.fill('not a code');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText("already been used or doesn't exist").waitFor();
    await field.fill(`  ${site.network.url}${path} `);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
  });

  it('has the field before anybody has said who can sign up, so that nothing moves, also without scripts', async () => {
    const visits = [
      {
        prepare: (page: Page) => page.route('**/auth/registration', () => new Promise(() => {})),
      },
      { javaScriptEnabled: false },
    ];
    for (const visit of visits) {
      const { page } = await site.visit('/signup', { ...phone, ...visit });
      await page.getByLabel('Invitation code').waitFor();
      await page.getByText('You need an invitation to sign up here').waitFor();
      await page.getByText('All you need is a username').waitFor({ state: 'hidden' });
      await page.getByLabel('Email').waitFor({ state: 'hidden' });
    }
  });

  it('is in Chinese for those who read it', async () => {
    const { page } = await site.visit('/signup', { ...phone, locale: 'zh-CN' });
    await page.getByText('在这里注册需要邀请：请打开邀请链接，或输入邀请码。').waitFor();
    await page.getByLabel('邀请码').fill('x');
    await page.locator('[name="username"]').fill('nobody-knows');
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('请向邀请你的人要一个新的').waitFor();
  });

  it.each([
    ['invitation-required', 'To create one, open the link of an invitation'],
    ['invitation-invalid', "That invitation has expired, has already been used or doesn't exist."],
    ['registration-closed', "this Wayquest doesn't take new members"],
    ['registration-full', 'Too many people are waiting for approval here.'],
  ])('is explained on the login page after a sign-in with Google: %s', async (problem, sentence) => {
    const { page } = await site.visit(`/login#problem=${problem}`, phone);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

(await describeWith('chromium'))('a closed Wayquest', () => {
  const site = useSite({ settings: { REGISTRATION: 'closed' } });

  it.each([
    [true, { width: 1280, height: 800 }],
    [true, { width: 390, height: 844 }],
    [false, { width: 390, height: 844 }],
  ])(
    'offers no sign-up on the first page, and asks nobody whether it may (scripts: %s, %j)',
    async (javaScriptEnabled, viewport) => {
      const requests: string[] = [];
      const { page } = await site.visit('/home', {
        ...{ javaScriptEnabled, viewport },
        prepare: async (opened) => void opened.on('request', (request) => requests.push(request.url())),
      });
      await page.getByRole('link', { name: 'Log In' }).waitFor();
      await page.getByRole('link', { name: 'Start Exploring' }).waitFor();
      expect(await page.getByRole('link', { name: /Sign Up|Create an Account/ }).count()).toBe(0);
      expect(await findLayoutIssues(page)).toEqual([]);
      expect(requests.filter((url) => url.includes('/auth/'))).toEqual([]);
    },
  );
});

(await describeWith('chromium'))('the sign-up page of an open Wayquest', () => {
  const site = useSite();

  it('is offered on the first page', async () => {
    const { page } = await site.visit('/home', phone);
    await page.getByRole('navigation').getByRole('link', { name: 'Sign Up' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Create an Account' }).waitFor();
  });

  it('ignores an invitation, and asks for none', async () => {
    const { page } = await site.visit('/signup?invitation=not-needed', phone);
    await page.waitForURL((url) => url.search === '');
    await page.getByLabel('Invitation code').waitFor({ state: 'hidden' });
    const [request] = await Promise.all([
      page.waitForRequest('**/auth/signup'),
      signUp(page, 'came-by-themselves'),
    ]);
    expect(request.postDataJSON()).toEqual({ username: 'came-by-themselves', password: testPassword });
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
  });

  it('says so once it is closed, and offers the login instead, by keyboard only', async () => {
    const { username } = await newUser(site.network);
    const { page, consoleErrors } = await site.visit('/signup', {
      ...phone,
      prepare: (opened) =>
        opened.route('**/auth/registration', (route) => route.fulfill({ json: { registration: 'closed' } })),
    });
    await page.getByRole('heading', { level: 1, name: 'No new members' }).waitFor();
    expect(await page.locator('form').count()).toBe(0);
    expect(await issuesOf(page)).toEqual([]);
    await pressKey(page.getByRole('main').getByRole('link', { name: 'Login', exact: true }));
    await page.locator('[name="username"]').waitFor();
    await page
      .getByRole('link', { name: "Don't have an account? Create Account" })
      .waitFor({ state: 'hidden' });
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('shows the form also if nobody can say who can sign up', async () => {
    const { page } = await site.visit('/signup', {
      ...phone,
      prepare: (opened) => opened.route('**/auth/registration', (route) => route.abort()),
    });
    await signUp(page, 'came-anyway');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
  });
});
