import {
  describeWith,
  eventually,
  type FakeGoogle,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  startFakeGoogle,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { activate, findAccessibilityIssues, tabTo, typeInto, viewports } from './support/keyboard.ts';
import { startSite } from './support/start-site.ts';

/** The safety features of an account, by keyboard only, with an accessibility check at each step. */
(await describeWith('chromium'))('an account', () => {
  let google: FakeGoogle;
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    google = await startFakeGoogle();
    network = await startSite({ auth: { google: google.config }, places: { preload: true } });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await google?.stop();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
  const menu = (page: Page) => button(page, /'s menu/);
  const expectAccessible = async (page: Page) => expect(await findAccessibilityIssues(page)).toEqual([]);
  const mailTo = (address: string, index: number) =>
    eventually(async () => {
      const mail = (await network.mailsTo(address))[index];
      if (!mail) throw new Error(`no mail ${index}`);
      return mail;
    });
  const logIn = async (page: Page, username: string, password = testPassword) => {
    const form = page.getByRole('form', { name: 'Login' });
    await typeInto(form.getByLabel('Username'), username);
    await typeInto(form.getByLabel('Password', { exact: true }), password);
    await page.keyboard.press('Enter');
    await menu(page).waitFor();
  };
  const visit = async (path: string, viewport: (typeof viewports)[number][1]) => {
    const { page, consoleErrors } = await browser.visitor({ viewport });
    await page.goto(path);
    return { page, consoleErrors };
  };
  const openAsMember = async (viewport: (typeof viewports)[number][1]) => {
    const user = await newUser(network);
    const visitor = await visit('/login', viewport);
    await logIn(visitor.page, user.username);
    return { ...visitor, ...user };
  };

  describe.each(viewports)('%s', (viewportName, viewport) => {
    it('ends another session, changes its password, and logs out everywhere', async () => {
      const { page, consoleErrors, username } = await openAsMember(viewport);
      await page.goto('/settings#login');
      await activate(button(page, /^Log out .* \(/));
      await button(page, /^Log out .* \(/).waitFor({ state: 'detached' });
      await expectAccessible(page);

      const form = page.getByRole('form', { name: 'Password' });
      const change = async (currentPassword: string) => {
        await typeInto(form.getByLabel('Current password'), currentPassword);
        await typeInto(form.getByLabel('New password'), 'one that I remember');
        await page.keyboard.press('Enter');
      };
      await change('not my password');
      await form.getByText('That is not your current password.').waitFor();
      await expectAccessible(page);
      await change(testPassword);
      await page.getByText('Password changed.').waitFor();
      await expectAccessible(page);

      await activate(button(page, 'Log out of all devices'));
      const dialog = page.getByRole('dialog', { name: 'Log out of all devices, including this one?' });
      await dialog.waitFor();
      await expectAccessible(page);
      await activate(dialog.getByRole('button', { name: 'Log out of all devices' }));
      const login = page.getByRole('form', { name: 'Login' });
      const passwordField = login.getByLabel('Password', { exact: true });
      await login.waitFor();
      await expectAccessible(page);
      // The password is pasted, and shown.
      await typeInto(login.getByLabel('Username'), 'one that I remember');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+x');
      await activate(passwordField, 'ControlOrMeta+v');
      await activate(login.getByRole('button', { name: 'Show what I type' }), ' ');
      expect([await passwordField.getAttribute('type'), await passwordField.inputValue()]).toEqual([
        'text',
        'one that I remember',
      ]);
      await expectAccessible(page);
      await typeInto(login.getByLabel('Username'), username);
      await page.keyboard.press('Enter');
      await menu(page).waitFor();
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
    });

    it('created with Google gets its first password, which logs in', async () => {
      google.person = {
        sub: `First ${viewportName}`,
        name: `First ${viewportName}`,
        email: 'first@wayquest.example',
      };
      const { page, consoleErrors } = await visit('/signup', viewport);
      await activate(link(page, 'Sign Up with Google'));
      await menu(page).waitFor();
      const username = (await menu(page).getAttribute('aria-label'))?.replace(/'s menu(, .*)?$/, '') ?? '';
      await page.goto('/settings#login');
      const form = page.getByRole('form', { name: 'Password' });
      await typeInto(form.getByLabel('New password'), 'my first password');
      await activate(form.getByRole('button', { name: 'Set password' }));
      await form.getByRole('button', { name: 'Change password' }).waitFor();
      await expectAccessible(page);

      await activate(menu(page));
      await activate(button(page, 'Logout'));
      await menu(page).waitFor({ state: 'detached' });
      await page.goto('/login');
      await logIn(page, username, 'my first password');
      expect(consoleErrors).toEqual([]);
    });

    it('changes its email address with a mail to the old one, and is recovered by the new one', async () => {
      const { page, consoleErrors, username, client } = await openAsMember(viewport);
      const [before, after] = [`${username}@before.example`, `${username}@after.example`];
      await client.updateMe({ body: { email: before } });
      const { token } = await mailTo(before, 0);
      await client.confirmEmail({ body: { token } });

      await page.goto('/profile#update-title');
      const details = page.getByRole('form', { name: 'Update Profile Details' });
      await typeInto(details.getByLabel('Email'), after);
      await page.keyboard.press('Enter');
      await page.getByText('Profile updated.').waitFor();
      await expectAccessible(page);
      await page.goto('/settings#login');
      await page.getByText(`${after} isn't confirmed yet`).waitFor();
      await page.getByText(`Until then, reset links go to ${before}.`).waitFor();
      const confirmation = await mailTo(after, 0);
      await page.goto(`${confirmation.path}#token=${confirmation.token}`);
      await activate(button(page, 'Confirm'));
      await page.getByText('Email confirmed.').waitFor();
      await expectAccessible(page);
      expect(await mailTo(before, 1)).toMatchObject({ subject: 'Your email address was changed' });

      await activate(menu(page));
      await activate(button(page, 'Logout'));
      await menu(page).waitFor({ state: 'detached' });
      await page.goto('/login');
      await activate(link(page, 'Forgot your password?'));
      await typeInto(page.getByRole('textbox', { name: 'Email' }), after);
      await page.keyboard.press('Enter');
      await page.getByText("we've sent it a reset link").waitFor();
      await expectAccessible(page);
      const recovery = await mailTo(after, 1);
      await page.goto(`${recovery.path}#token=${recovery.token}`);
      await typeInto(page.getByRole('textbox', { name: 'New password' }), 'one that I remember');
      await page.keyboard.press('Enter');
      await page.getByText('Password changed.').waitFor();
      await expectAccessible(page);
      await activate(link(page, 'Back to login'));
      await logIn(page, username, 'one that I remember');
      expect(consoleErrors).toEqual([]);
    });

    it('hides data by privacy settings, and blocks and unblocks a user', async () => {
      const { page, consoleErrors, client } = await openAsMember(viewport);
      const other = await newUser(network);
      await network.settle();
      await page.goto('/settings#privacy');
      const privacy = page.getByRole('region', { name: 'Privacy' });
      await activate(privacy.getByLabel('My full name'), 'ArrowUp');
      await eventually(async () => expect(await client.getPrivacy()).toMatchObject({ name: 'friends' }));
      await eventually(() => privacy.getByLabel('My full name').isEnabled());
      await expectAccessible(page);
      await activate(privacy.getByLabel('Show me on the leaderboard'), ' ');
      await eventually(async () => expect(await client.getPrivacy()).toMatchObject({ leaderboards: false }));
      await eventually(() => privacy.getByLabel('Show me on the leaderboard').isEnabled());
      await expectAccessible(page);

      await page.goto(`/users/${other.me.id}`);
      const blockButton = button(page, `Block ${other.username}`);
      const block = async () => {
        await activate(blockButton);
        await page.getByRole('dialog', { name: `Block ${other.username}?` }).waitFor();
        await expectAccessible(page);
        await activate(page.getByRole('dialog').getByRole('button', { name: 'Block' }));
        await page.getByText(`You have blocked ${other.username}.`).waitFor();
        await expectAccessible(page);
      };
      await block();
      await activate(button(page, 'Unblock'));
      await blockButton.waitFor();
      await expectAccessible(page);
      await block();
      await page.goto('/settings#privacy');
      await activate(button(page, `Unblock ${other.username}`));
      await page.getByText("You haven't blocked anyone.").waitFor();
      await expectAccessible(page);
      expect(await client.listBlocks()).toEqual([]);
      expect(consoleErrors).toEqual([]);
    });

    it('exports its data, and cancels its deletion by logging in', async () => {
      const { page, consoleErrors, username } = await openAsMember(viewport);
      await page.goto('/settings#account');
      await activate(button(page, 'Request my data'));
      await page.getByText('Ready to download until').waitFor();
      await expectAccessible(page);
      const downloading = page.waitForEvent('download');
      await activate(button(page, 'Download'));
      expect((await downloading).suggestedFilename()).toBe('wayquest.zip');

      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await activate(button(page, 'Delete my account').first());
      await dialog.waitFor();
      await expectAccessible(page);
      await typeInto(dialog.getByLabel('Current password'), testPassword);
      await page.keyboard.press('Enter');
      await page.getByText('Your account will be deleted on').waitFor();
      await page.getByRole('form', { name: 'Login' }).waitFor();
      await expectAccessible(page);
      await logIn(page, username);
      await page.getByText('Your account will no longer be deleted.').waitFor();
      await expectAccessible(page);
      expect(consoleErrors).toEqual([]);
    });

    it.each([
      ['checks in with the position', true, 'Checked in'],
      ['is not checked in without a position', false, "your browser doesn't allow location access"],
    ])('completes a challenge, and %s', async (_, isGranted, sentence) => {
      const { page, consoleErrors, client } = await openAsMember(viewport);
      const position = { lat: 40.75, lng: -73.82 };
      const challenge = await newChallenge(await newUser(network), { position });
      await client.joinChallenge({ body: { challengeId: challenge.id } });
      await page.goto(`/challenges/${challenge.id}`);
      await activate(page.getByRole('checkbox', { name: 'Check in with my location' }), ' ');
      await expectAccessible(page);
      await tabTo(button(page, 'Mark as Complete'));
      // Set as late as possible: a position is valid for a minute.
      if (isGranted) {
        await page.context().grantPermissions(['geolocation']);
        await page.context().setGeolocation({ latitude: 40.7504, longitude: -73.82, accuracy: 10 });
      }
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: /^(You were there|Completed)!$/ });
      await dialog.getByText(sentence).waitFor();
      await expectAccessible(page);
      await activate(dialog.getByRole('button', { name: 'Continue' }));
      await dialog.waitFor({ state: 'hidden' });
      await expectAccessible(page);
      expect(consoleErrors).toEqual([]);
    });
  });
});
