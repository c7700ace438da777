import { describeWith, eventually, pressKey, testPassword } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { findBarriers, findLayoutIssues } from './screens/checks.ts';
import { signUp } from './support/sign-up.ts';
import { useSite } from './support/start-site.ts';

const phone = { width: 390, height: 844 };

/** What axe and the layout checks find in a page. */
const issuesOf = async (page: Page) => [...(await findBarriers(page)), ...(await findLayoutIssues(page))];

(await describeWith('chromium'))('accounts that need approval', () => {
  const site = useSite({ settings: { REGISTRATION: 'approval' } });
  const visitor = () => site.network.client();
  /** An admin without an account. */
  const anyAdmin = () =>
    site.network.client(site.network.signToken({ sub: '900001', username: 'admin', admin: true }));
  const logIn = (username: string) => visitor().login({ body: { username, password: testPassword } });
  const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const buttonIn = (part: ReturnType<Page['getByRole']>, name: string) => part.getByRole('button', { name });

  /** Creates an account that waits for nobody. */
  const newMember = async (username: string) => {
    const { account, token = '' } = await anyAdmin().createAccount({ body: { username } });
    await visitor().resetPassword({ body: { token, password: testPassword } });
    await site.network.settle();
    return account;
  };

  const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '');

  let bosses = 0;
  /** Opens the page of accounts as a new admin. */
  const openAsAdmin = async (path = '/admin/accounts') => {
    const { id, username } = await newMember(`boss-${++bosses}`);
    await anyAdmin().changeRights({ params: { id }, body: { admin: true } });
    await site.network.settle();
    const { token } = await logIn(username);
    return site.visit(path, { viewport: phone, token });
  };

  it('wait after the sign-up, with an address if their person wants to be told, by keyboard only', async () => {
    const { page, consoleErrors } = await site.visit('/signup', { viewport: phone });
    await page.getByText('An administrator looks at each new account').waitFor();
    await page.getByLabel('Email (optional)').fill('fay@wayquest.example');
    expect(await issuesOf(page)).toEqual([]);
    await page.locator('[name="username"]').fill('fay-waits');
    await page.locator('[name="password"]').fill(testPassword);
    await pressKey(page.getByRole('button', { name: 'Sign Up', exact: true }));
    await page.getByRole('heading', { level: 1, name: 'Your account is waiting' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your account is waiting');
    expect(await issuesOf(page)).toEqual([]);

    await pressKey(page.getByRole('link', { name: 'Back to login' }));
    await page.locator('[name="username"]').fill('fay-waits');
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your account is waiting' }).waitFor();
    const [account] = await anyAdmin().listAccounts({ query: { filter: 'waiting', search: 'fay-waits' } });
    expect(account?.email).toBe('fay@wayquest.example');
    // The browser logs each rejected call.
    expect(consoleErrors.filter((line) => !line.includes('status of 403'))).toEqual([]);
  });

  it('are approved and declined by an admin, by keyboard only', async () => {
    for (const username of ['gil-waits', 'hal-waits'])
      await visitor()
        .signup({ body: { username, password: testPassword, email: `${username}@wayquest.example` } })
        .catch(() => {});
    const { page, consoleErrors } = await openAsAdmin('/moderation');
    await pressKey(page.getByRole('button', { name: /'s menu/ }));
    await pressKey(page.getByRole('link', { name: 'Accounts', exact: true }));
    await pressKey(page.getByRole('link', { name: 'Waiting', exact: true }));
    await rowOf(page, 'gil-waits').getByText('gil-waits@wayquest.example').waitFor();
    expect(await issuesOf(page)).toEqual([]);

    await pressKey(buttonIn(rowOf(page, 'gil-waits'), 'Approve'));
    await page.getByText('gil-waits can log in now.').waitFor();
    await rowOf(page, 'gil-waits').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false),
    );
    await logIn('gil-waits');

    await pressKey(buttonIn(rowOf(page, 'hal-waits'), 'Decline'));
    await dialogOf(page).getByText('The account is deleted').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(buttonIn(dialogOf(page), 'Decline'));
    await rowOf(page, 'hal-waits').waitFor({ state: 'detached' });
    await expect(logIn('hal-waits')).rejects.toMatchObject({ problem: { code: 'invalid-credentials' } });
    expect(consoleErrors).toEqual([]);
  });

  it('need none if an admin creates them, who sees the link for the password once', async () => {
    const { page, consoleErrors } = await openAsAdmin();
    const card = page.getByRole('region', { name: 'Create an account' });
    await card.getByLabel('Username').fill('ivy-made');
    await pressKey(buttonIn(card, 'Create account'));
    const link = await card.getByLabel('Link').inputValue();
    expect(pathOf(link)).toMatch(/^\/reset#token=[\w-]{43}$/);
    expect(await issuesOf(page)).toEqual([]);
    await rowOf(page, 'ivy-made').waitFor();

    const other = await site.visit(pathOf(link), { viewport: phone });
    await other.page.locator('[name="password"]').fill(testPassword);
    await pressKey(other.page.getByRole('button', { name: 'Set password' }));
    await other.page.getByText('Password changed.').waitFor();
    await logIn('ivy-made');
    expect(consoleErrors).toEqual([]);
  });

  it('are found by a search, and get a link for a password, rights and a suspension', async () => {
    const { id, username } = await newMember('joe-member');
    const { page, consoleErrors } = await openAsAdmin();
    await page.getByLabel('Username or email begins with').fill('JOE-');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=JOE-/);
    const row = rowOf(page, username);
    await eventually(async () => expect(await rowOf(page, 'boss-').count()).toBe(0));
    const field = page.getByLabel('Username or email begins with');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await pressKey(row.getByText('Manage'));

    await pressKey(buttonIn(row, 'New password link'));
    await row.getByText(`This link sets the password of ${username}`).waitFor();
    await row.getByLabel('Link').waitFor();

    await pressKey(buttonIn(row, 'Make admin'));
    await pressKey(buttonIn(dialogOf(page), 'Make admin'));
    await page.getByText(`${username} is an admin from their next login on.`).waitFor();
    await pressKey(buttonIn(row, 'Revoke admin rights'));
    await pressKey(buttonIn(dialogOf(page), 'Revoke admin rights'));
    await page.getByText(`${username} is no admin any more.`).waitFor();

    await pressKey(buttonIn(row, 'Suspend'));
    await dialogOf(page).getByLabel('Days').fill('');
    await dialogOf(page).getByLabel('Days').pressSequentially('3');
    await dialogOf(page).getByLabel('Note').fill('They sell things');
    // What was typed is kept when the dialog is closed.
    await page.keyboard.press('Escape');
    await pressKey(buttonIn(row, 'Suspend'));
    expect(await dialogOf(page).getByLabel('Note').inputValue()).toBe('They sell things');
    await dialogOf(page).getByLabel('Days').fill('3');
    expect(await issuesOf(page)).toEqual([]);
    await pressKey(buttonIn(dialogOf(page), 'Suspend'));
    await row.getByText(/suspended until/).waitFor();
    await site.network.settle();
    await expect(logIn(username)).rejects.toMatchObject({ problem: { code: 'suspended' } });
    const [entry] = await anyAdmin().listAudit();
    expect(entry).toMatchObject({ caseId: `user-${id}`, action: 'suspend', note: 'They sell things' });

    await pressKey(buttonIn(row, 'Lift suspension'));
    await page.getByText(`${username} can log in again.`).waitFor();
    await site.network.settle();
    await logIn(username);
    expect(await issuesOf(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  it('need no approval with an invitation, which an admin makes and withdraws', async () => {
    const { page, consoleErrors } = await openAsAdmin();
    const card = page.getByRole('region', { name: 'Invitations' });
    await card.getByLabel('For how many accounts').fill('2');
    await card.getByLabel('Note').fill('The hiking club');
    await pressKey(buttonIn(card, 'Create invitation'));
    const link = await card.getByLabel('Link').inputValue();
    await rowOf(page, 'The hiking club').getByText('2 of 2 left').waitFor();
    expect(await issuesOf(page)).toEqual([]);

    const other = await site.visit(pathOf(link), { viewport: phone });
    await other.page.getByLabel('Invitation code').waitFor();
    await other.page.getByLabel('Email').waitFor({ state: 'hidden' });
    await signUp(other.page, 'kim-invited');
    await other.page.getByRole('button', { name: /'s menu/ }).waitFor();

    await pressKey(buttonIn(rowOf(page, 'The hiking club'), 'Withdraw'));
    await pressKey(buttonIn(dialogOf(page), 'Withdraw'));
    await card.getByText('No invitations.').waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('are for admins only, who read the page also in Chinese', async () => {
    await newMember('lee-member');
    const { token } = await logIn('lee-member');
    const { page } = await site.visit('/admin/accounts', { viewport: phone, token });
    await page.getByText('Only admins can see this page.').waitFor();
    const admin = await openAsAdmin();
    await admin.page.locator('footer button[lang="zh-Hans"]').click();
    await admin.page.getByRole('heading', { level: 1, name: '账号' }).waitFor();
    await admin.page.getByRole('link', { name: '等待批准', exact: true }).waitFor();
  });
});
