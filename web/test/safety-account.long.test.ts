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
import { findObstacles, pressTo, tabTo, windows, writeIn } from './support/keyboard.ts';
import { startSite } from './support/start-site.ts';

/** What people do to keep their account theirs, by Tab and typing alone, and with no barrier at any stop. */
(await describeWith('chromium'))('an account', () => {
  let google: FakeGoogle;
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    google = await startFakeGoogle();
    network = await startSite({ auth: { google: google.config }, places: { readAhead: true } });
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
  const isFree = async (page: Page) => expect(await findObstacles(page)).toEqual([]);
  const mailTo = (address: string, nth: number) =>
    eventually(async () => {
      const mail = (await network.mailsTo(address))[nth];
      if (!mail) throw new Error(`no mail ${nth}`);
      return mail;
    });
  const logIn = async (page: Page, username: string, password = testPassword) => {
    const form = page.getByRole('form', { name: 'Login' });
    await writeIn(form.getByLabel('Username'), username);
    await writeIn(form.getByLabel('Password', { exact: true }), password);
    await page.keyboard.press('Enter');
    await menu(page).waitFor();
  };
  const visit = async (path: string, viewport: (typeof windows)[number][1]) => {
    const { page, consoleErrors } = await browser.visitor({ viewport });
    await page.goto(path);
    return { page, consoleErrors };
  };
  const member = async (viewport: (typeof windows)[number][1]) => {
    const user = await newUser(network);
    const visitor = await visit('/login', viewport);
    await logIn(visitor.page, user.username);
    return { ...visitor, ...user };
  };

  describe.each(windows)('%s', (place, viewport) => {
    it('logs out in one place, gets another password, and logs out everywhere', async () => {
      const { page, consoleErrors, username } = await member(viewport);
      await page.goto('/settings');
      await pressTo(button(page, /^Log out .* \(/));
      await button(page, /^Log out .* \(/).waitFor({ state: 'detached' });
      await isFree(page);

      const form = page.getByRole('form', { name: 'Password' });
      const change = async (currentPassword: string) => {
        await writeIn(form.getByLabel('Current password'), currentPassword);
        await writeIn(form.getByLabel('New password'), 'one that I remember');
        await page.keyboard.press('Enter');
      };
      await change('not my password');
      await form.getByText('That is not your current password.').waitFor();
      await isFree(page);
      await change(testPassword);
      await page.getByText('Password changed.').waitFor();
      await isFree(page);

      await pressTo(button(page, 'Log out of all devices'));
      const dialog = page.getByRole('dialog', { name: 'Log out of all devices, including this one?' });
      await dialog.waitFor();
      await isFree(page);
      await pressTo(dialog.getByRole('button', { name: 'Log out of all devices' }));
      const login = page.getByRole('form', { name: 'Login' });
      const typed = login.getByLabel('Password', { exact: true });
      await login.waitFor();
      await isFree(page);
      // From somewhere else, and looked at.
      await writeIn(login.getByLabel('Username'), 'one that I remember');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+x');
      await pressTo(typed, 'ControlOrMeta+v');
      await pressTo(login.getByRole('button', { name: 'Show what I type' }), ' ');
      expect([await typed.getAttribute('type'), await typed.inputValue()]).toEqual([
        'text',
        'one that I remember',
      ]);
      await isFree(page);
      await writeIn(login.getByLabel('Username'), username);
      await page.keyboard.press('Enter');
      await menu(page).waitFor();
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
      await page.context().close();
    });

    it('created with Google gets its first password, and can be logged into with it', async () => {
      google.person = { sub: `First ${place}`, name: `First ${place}`, email: 'first@wayquest.example' };
      const { page, consoleErrors } = await visit('/signup', viewport);
      await pressTo(link(page, 'Sign Up with Google'));
      await menu(page).waitFor();
      const username = (await menu(page).getAttribute('aria-label'))?.replace(/'s menu(, .*)?$/, '') ?? '';
      await page.goto('/settings');
      const form = page.getByRole('form', { name: 'Password' });
      await writeIn(form.getByLabel('New password'), 'my first password');
      await pressTo(form.getByRole('button', { name: 'Set password' }));
      await form.getByRole('button', { name: 'Change password' }).waitFor();
      await isFree(page);

      await pressTo(menu(page));
      await pressTo(button(page, 'Logout'));
      await menu(page).waitFor({ state: 'detached' });
      await page.goto('/login');
      await logIn(page, username, 'my first password');
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('changes its e-mail address, with a mail to the old one, and recovers by the new one', async () => {
      const { page, consoleErrors, username, client } = await member(viewport);
      const [before, after] = [`${username}@before.example`, `${username}@after.example`];
      await client.updateMe({ body: { email: before } });
      const { token } = await mailTo(before, 0);
      await client.confirmEmail({ body: { token } });

      await page.goto('/settings');
      const details = page.getByRole('form', { name: 'Update Profile Details' });
      await writeIn(details.getByLabel('Email'), after);
      await page.keyboard.press('Enter');
      await page.getByText('Profile updated.').waitFor();
      await page.getByText(`${after} isn't confirmed yet`).waitFor();
      await page.getByText(`Until then, reset links go to ${before}.`).waitFor();
      await isFree(page);
      const confirmation = await mailTo(after, 0);
      await page.goto(`${confirmation.path}#token=${confirmation.token}`);
      await pressTo(button(page, 'Confirm'));
      await page.getByText('Email confirmed.').waitFor();
      await isFree(page);
      expect(await mailTo(before, 1)).toMatchObject({ subject: 'Your email address was changed' });

      await pressTo(menu(page));
      await pressTo(button(page, 'Logout'));
      await menu(page).waitFor({ state: 'detached' });
      await page.goto('/login');
      await pressTo(link(page, 'Forgot your password?'));
      await writeIn(page.getByRole('textbox', { name: 'Email' }), after);
      await page.keyboard.press('Enter');
      await page.getByText("we've sent it a reset link").waitFor();
      await isFree(page);
      const recovery = await mailTo(after, 1);
      await page.goto(`${recovery.path}#token=${recovery.token}`);
      await writeIn(page.getByRole('textbox', { name: 'New password' }), 'one that I remember');
      await page.keyboard.press('Enter');
      await page.getByText('Password changed.').waitFor();
      await isFree(page);
      await pressTo(link(page, 'Back to login'));
      await logIn(page, username, 'one that I remember');
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('hides data from others', async () => {
      const { page, consoleErrors, client } = await member(viewport);
      const other = await newUser(network);
      await network.settle();
      await page.goto('/settings');
      const privacy = page.getByRole('region', { name: 'Privacy' });
      await pressTo(privacy.getByLabel('My full name'), 'ArrowUp');
      await eventually(async () => expect(await client.getPrivacy()).toMatchObject({ name: 'friends' }));
      await eventually(() => privacy.getByLabel('My full name').isEnabled());
      await isFree(page);
      await pressTo(privacy.getByLabel('Show me on the leaderboard'), ' ');
      await eventually(async () => expect(await client.getPrivacy()).toMatchObject({ boards: false }));
      await eventually(() => privacy.getByLabel('Show me on the leaderboard').isEnabled());
      await isFree(page);

      await page.goto(`/users/${other.me.id}`);
      const blocking = button(page, `Block ${other.username}`);
      const block = async () => {
        await pressTo(blocking);
        await page.getByRole('dialog', { name: `Block ${other.username}?` }).waitFor();
        await isFree(page);
        await pressTo(page.getByRole('dialog').getByRole('button', { name: 'Block' }));
        await page.getByText(`You have blocked ${other.username}.`).waitFor();
        await isFree(page);
      };
      await block();
      await pressTo(button(page, 'Unblock'));
      await blocking.waitFor();
      await isFree(page);
      await block();
      await page.goto('/settings');
      await pressTo(button(page, `Unblock ${other.username}`));
      await page.getByText("You haven't blocked anyone.").waitFor();
      await isFree(page);
      expect(await client.listBlocks()).toEqual([]);
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it('exports its data, and cancels its deletion', async () => {
      const { page, consoleErrors, username } = await member(viewport);
      await page.goto('/settings');
      await pressTo(button(page, 'Request my data'));
      await page.getByText('Ready to download until').waitFor();
      await isFree(page);
      const downloading = page.waitForEvent('download');
      await pressTo(button(page, 'Download'));
      expect((await downloading).suggestedFilename()).toBe('wayquest.zip');

      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await pressTo(button(page, 'Delete my account').first());
      await dialog.waitFor();
      await isFree(page);
      await writeIn(dialog.getByLabel('Current password'), testPassword);
      await page.keyboard.press('Enter');
      await page.getByText('Your account will be deleted on').waitFor();
      await page.getByRole('form', { name: 'Login' }).waitFor();
      await isFree(page);
      await logIn(page, username);
      await page.getByText('Your account will no longer be deleted.').waitFor();
      await isFree(page);
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });

    it.each([
      ['says where it is', true, 'Checked in'],
      ['keeps that to itself', false, "your location wasn't available"],
    ])('completes a challenge and %s', async (_, isGranted, sentence) => {
      const { page, consoleErrors, client } = await member(viewport);
      const position = { lat: 40.75, lng: -73.82 };
      const challenge = await newChallenge(await newUser(network), { position });
      await client.joinChallenge({ body: { challengeId: challenge.id } });
      await page.goto(`/challenges/${challenge.id}`);
      await pressTo(page.getByRole('checkbox', { name: 'Check in with my location' }), ' ');
      await isFree(page);
      await tabTo(button(page, 'Mark as Complete'));
      // As late as can be: a position counts for a minute.
      if (isGranted) {
        await page.context().grantPermissions(['geolocation']);
        await page.context().setGeolocation({ latitude: 40.7504, longitude: -73.82, accuracy: 10 });
      }
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'You were there!' });
      await dialog.getByText(sentence).waitFor();
      await isFree(page);
      await pressTo(dialog.getByRole('button', { name: 'Continue' }));
      await dialog.waitFor({ state: 'hidden' });
      await isFree(page);
      expect(consoleErrors).toEqual([]);
      await page.context().close();
    });
  });
});
