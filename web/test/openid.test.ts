import {
  describeWith,
  newUser,
  openBrowser,
  pressKey,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { admin } from '../../infra/admin/test/admin-process.ts';
import { type OpenIdServer, someone, startOpenIdServer } from '../../services/auth/test/openid-server.ts';
import { findBarriers, findLayoutIssues } from './screens/checks.ts';
import { startSite } from './support/start-site.ts';

const phone = { viewport: { width: 390, height: 844 } };

/** What axe and the layout checks find in a page. */
const issuesOf = async (page: Page) => [...(await findBarriers(page)), ...(await findLayoutIssues(page))];

const menu = (page: Page, username = '') => page.getByRole('button', { name: `${username}'s menu` });

/** Starts a provider and a site with it before the tests of the suite that calls this. */
function useProvider(settings: Record<string, string> = {}) {
  let server: OpenIdServer | undefined;
  let network: Awaited<ReturnType<typeof startSite>> | undefined;
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    server = await startOpenIdServer();
    const { issuer, clientId, clientSecret } = server.config;
    network = await startSite({
      settings: {
        ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
        ...settings,
      },
    });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await server?.stop();
  });
  return () => {
    if (!server || !network || !browser) throw new Error('the site has not started');
    return { server, network, browser };
  };
}

(await describeWith('chromium'))('logging in with an OpenID Connect provider', () => {
  const site = useProvider({ OIDC_NAME: 'Hiking Club' });

  const confirmWithPassword = async (dialog: Locator) => {
    await dialog.getByLabel('Current password').fill(testPassword);
    await dialog.page().keyboard.press('Enter');
  };

  it('creates an account for a new person, by keyboard only', async () => {
    const { server, browser } = site();
    server.person = someone({ preferred_username: 'ada.of.the.club' });
    const { page, consoleErrors } = await browser.visitor(phone);
    await page.goto('/signup');
    await page.getByRole('link', { name: 'Sign up with Hiking Club' }).waitFor();
    expect(await issuesOf(page)).toEqual([]);
    await page.goto('/login');
    await pressKey(page.getByRole('link', { name: 'Log in with Hiking Club' }));
    await menu(page, 'ada.of.the.club').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(consoleErrors).toEqual([]);
  });

  it('is linked and unlinked in the settings, by keyboard only', async () => {
    const { server, network, browser } = site();
    server.person = someone();
    const { username, token } = await newUser(network);
    const { page, consoleErrors } = await browser.visitor({ ...phone, token });
    await page.goto('/settings#login');
    const section = page.getByRole('region', { name: 'Single sign-on' });
    await section.getByText("Your account isn't linked to Hiking Club.").waitFor();
    await pressKey(section.getByRole('button', { name: 'Link Hiking Club' }));
    const dialog = page.getByRole('dialog', { name: 'Link Hiking Club?' });
    await dialog.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await confirmWithPassword(dialog);
    await page.getByText('Login linked. You can now log in with it.').waitFor();
    expect(new URL(page.url()).hash).toBe('#openid-title');
    await section.getByText('Your account is linked to Hiking Club.').waitFor();
    expect(await issuesOf(page)).toEqual([]);

    const other = await browser.visitor(phone);
    await other.page.goto('/login');
    await other.page.getByRole('link', { name: 'Log in with Hiking Club' }).click();
    await menu(other.page, username).waitFor();

    await pressKey(section.getByRole('button', { name: 'Unlink Hiking Club' }));
    await confirmWithPassword(page.getByRole('dialog', { name: 'Unlink Hiking Club?' }));
    await page.getByText('Login unlinked.').waitFor();
    await section.getByText("Your account isn't linked to Hiking Club.").waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it.each([
    ['en', 'Log in with Hiking Club', 'Please try again, or log in another way.'],
    ['zh-CN', '通过“Hiking Club”登录', '请再试一次，或换一种方式登录。'],
  ])('says so if it fails, and offers it again: %s', async (locale, link, sentence) => {
    const { page } = await site().browser.visitor({ ...phone, locale });
    await page.goto('/auth/openid/callback?error=access_denied&state=another');
    await page.getByRole('alert').getByText(sentence).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('link', { name: link }).waitFor();
  });

  it.each([
    ['openid-not-linked', "isn't linked to an account here"],
    ['openid-not-set-up', "isn't available here"],
    ['openid-failed', 'failed, or the page for it does not respond'],
  ])('explains on the login page what went wrong: %s', async (problem, sentence) => {
    const { page } = await site().browser.visitor(phone);
    await page.goto(`/login#problem=${problem}`);
    await page.getByRole('alert').getByText(sentence).waitFor();
    expect(await issuesOf(page)).toEqual([]);
  });
});

(await describeWith('chromium'))('a Wayquest without passwords for members', () => {
  const site = useProvider({ REGISTRATION: 'closed', PASSWORD_LOGIN: 'off' });

  it('offers members the other login only, and admins their password, by keyboard only', async () => {
    const { server, network, browser } = site();
    const env = { MONGO_URL: network.mongoUrl, INSTALLATION: network.databasePrefix };
    const { output } = await admin(['create-account', 'club.captain'], env);
    expect(output).toMatch(/\/reset#token=/);
    await admin(['grant', 'club.captain'], env);
    const { page } = await browser.visitor(phone);
    await page.goto(/\/reset#token=\S+/.exec(output)?.[0] ?? '');
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();

    await page.goto('/login');
    await page.getByRole('link', { name: 'Log in with single sign-on' }).waitFor();
    expect(await page.locator('form').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
    expect(await issuesOf(page)).toEqual([]);
    await pressKey(page.getByText('Log in with a password'));
    await page.locator('[name="username"]').fill('club.captain');
    await page.locator('[name="password"]').fill('not the password');
    expect(await issuesOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That username and password do not match.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await menu(page, 'club.captain').waitFor();
    await page.goto('/settings#login');
    await page.getByRole('button', { name: 'Change password' }).waitFor();

    server.person = someone({ preferred_username: 'club.member' });
    const member = await browser.visitor(phone);
    await member.page.goto('/signup');
    await member.page.getByText('You sign up with a login that you already have.').waitFor();
    expect(await member.page.locator('form').count()).toBe(0);
    expect(await issuesOf(member.page)).toEqual([]);
    await member.page.getByRole('link', { name: 'Sign up with single sign-on' }).click();
    await menu(member.page, 'club.member').waitFor();
    await member.page.goto('/settings#login');
    await member.page.getByRole('region', { name: 'Single sign-on' }).getByText('is linked to').waitFor();
    expect(await member.page.getByRole('button', { name: /password/ }).count()).toBe(0);
    expect(member.consoleErrors).toEqual([]);
  });

  it('shows on the login page why a code was rejected', async () => {
    const { page } = await site().browser.visitor(phone);
    await page.goto('/login#code=never-issued');
    await page.getByRole('alert').getByText('That sign-in has expired. Please try again.').waitFor();
  });
});
