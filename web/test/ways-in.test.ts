import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  describeWith,
  eventually,
  type FakeGoogle,
  type Network,
  newEvent,
  newUser,
  openBrowser,
  pressOn,
  startFakeGoogle,
  startNetwork,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { findBarriers } from './screens/checks.ts';

const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
const windows = [
  ['at a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const;

(await describeWith('chromium'))('login methods in a browser', () => {
  let google: FakeGoogle;
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
    google = await startFakeGoogle();
    network = await startNetwork({ webDirectory, auth: { google: google.config } });
    // A passkey belongs to a name, never to an address.
    browser = await openBrowser(network.url.replace('127.0.0.1', 'localhost'));
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await google?.stop();
  });

  const meet = (name: string) => {
    google.person = { sub: `${name}-${process.pid}`, name, email: 'same@wayquest.example' };
  };
  const logIn = async (page: Page, username: string) => {
    await page.goto('/login');
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
  };
  const member = async (viewport: (typeof windows)[number][1]) => {
    const { username, me } = await newUser(network);
    const visitor = await browser.visitor({ viewport });
    await logIn(visitor.page, username);
    await visitor.page.goto('/settings');
    return { ...visitor, username, id: me.id };
  };
  const signOut = async (page: Page) => {
    await page.evaluate(() => localStorage.removeItem('token'));
  };
  /** A device that makes passkeys, and shows them, without asking anybody. */
  const giveDevice = async (page: Page) => {
    const chromium = await page.context().newCDPSession(page);
    await chromium.send('WebAuthn.enable');
    const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal' },
        ...{ hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    return {
      /** Whether its owner shows who they are. */
      verify: (isUserVerified: boolean) =>
        chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    };
  };
  /** What is asked before a way in changes; the password is typed. */
  const confirm = async (dialog: Locator, password = testPassword) => {
    await dialog.waitFor();
    await dialog.getByLabel('Current password').fill(password);
    await dialog.page().keyboard.press('Enter');
  };
  const hasFocus = (target: Locator) =>
    eventually(() => target.evaluate((element) => element === document.activeElement));

  // The narrow one alone, where there is the least room.
  describe.each(windows.slice(1))('%s', (place, viewport) => {
    it('Google is linked, logs in, and is unlinked, with the keyboard alone', async () => {
      const { page, username, consoleErrors } = await member(viewport);
      meet(`Linked ${place}`);
      const section = page.getByRole('region', { name: 'Google' });
      await section.getByText('No Google account is linked').waitFor();
      const linking = section.getByRole('button', { name: 'Link Google' });
      await pressOn(linking);
      const ask = page.getByRole('dialog', { name: 'Link a Google account?' });
      await confirm(ask, 'not my password');
      await ask.getByText('That is not your current password.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await hasFocus(linking);
      await pressOn(linking);
      await confirm(ask);
      await page.getByText('Google account linked. You can now sign in with it.').waitFor();
      expect(new URL(page.url()).hash).toBe('');
      await section.getByText('A Google account is linked to yours.').waitFor();
      expect(await findBarriers(page)).toEqual([]);

      await signOut(page);
      await page.goto('/login');
      await pressOn(page.getByRole('link', { name: 'Sign in with Google' }));
      await page.getByRole('button', { name: `${username}'s menu` }).waitFor();

      await page.goto('/settings');
      const unlinking = section.getByRole('button', { name: 'Unlink Google' });
      await pressOn(unlinking);
      await confirm(page.getByRole('dialog', { name: 'Unlink Google?' }));
      await page.getByText('Google account unlinked.').waitFor();
      await hasFocus(section.getByRole('button', { name: 'Link Google' }));
      // The one that was refused a password.
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
    });

    it('an account that Google sign-in is linked with is rejected with a sentence, and so is the last login method', async () => {
      meet(`Taken ${place}`);
      const owner = await browser.visitor({ viewport });
      await owner.page.goto('/signup');
      await pressOn(owner.page.getByRole('link', { name: 'Sign Up with Google' }));
      await owner.page.getByRole('button', { name: /'s menu/ }).waitFor();
      await owner.page.goto('/settings');
      await pressOn(owner.page.getByRole('button', { name: 'Unlink Google' }));
      const sure = owner.page.getByRole('dialog', { name: 'Unlink Google?' });
      await pressOn(sure.getByRole('button', { name: 'Unlink Google' }));
      await sure.getByText("That's the only way to log in to your account.").waitFor();

      const { page } = await member(viewport);
      await pressOn(page.getByRole('button', { name: 'Link Google' }));
      await confirm(page.getByRole('dialog', { name: 'Link a Google account?' }));
      await page.getByText('That Google account is linked to another Wayquest account.').waitFor();
      await page.getByText('No Google account is linked').waitFor();
      expect(await findBarriers(page)).toEqual([]);
    });

    it('a passkey is added, logs in, and is removed, with the keyboard alone', async () => {
      const { page, username, consoleErrors } = await member(viewport);
      await giveDevice(page);
      const section = page.getByRole('region', { name: 'Passkeys' });
      const adding = section.getByRole('button', { name: 'Add a passkey' });
      await pressOn(adding);
      const ask = page.getByRole('dialog', { name: 'Add a passkey?' });
      await ask.getByLabel('Passkey name').fill('My phone');
      await confirm(ask, 'not my password');
      await ask.getByText('That is not your current password.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await confirm(ask);
      await page.getByText('Passkey added.').waitFor();
      await hasFocus(adding);
      await section.getByText(/^Added .*, never used$/).waitFor();
      expect(await findBarriers(page)).toEqual([]);

      // Where it is there already.
      await pressOn(adding);
      await ask.getByLabel('Passkey name').fill('My phone again');
      await confirm(ask);
      await ask.getByText("Your browser didn't create a passkey.").waitFor();
      await page.keyboard.press('Escape');

      await signOut(page);
      await page.goto('/login');
      await pressOn(page.getByRole('button', { name: 'Log in with a passkey' }));
      await page.getByRole('button', { name: `${username}'s menu` }).waitFor();

      await page.goto('/settings');
      await section.getByText(/^Added .*, last used /).waitFor();
      await pressOn(section.getByRole('button', { name: 'Remove My phone' }));
      const sure = page.getByRole('dialog', { name: 'Remove this passkey?' });
      await sure.getByText('“My phone” can no longer be used to log in.').waitFor();
      await confirm(sure);
      await page.getByText('Passkey removed.').waitFor();
      await section.getByRole('listitem').waitFor({ state: 'detached' });
      // Its button is gone; the focus is still in the section.
      await eventually(() => section.evaluate((element) => element.contains(document.activeElement)));
      expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);

      await signOut(page);
      await page.goto('/login');
      await pressOn(page.getByRole('button', { name: 'Log in with a passkey' }));
      await page.getByText("That passkey didn't work.").waitFor();
      expect(await findBarriers(page)).toEqual([]);
    });

    it('a suspended user appeals without a password, after Google or a passkey authenticated them', async () => {
      meet(`Suspended ${place}`);
      const { page, username, id } = await member(viewport);
      await giveDevice(page);
      await pressOn(page.getByRole('button', { name: 'Link Google' }));
      await confirm(page.getByRole('dialog', { name: 'Link a Google account?' }));
      await page.getByText('Google account linked.').waitFor();
      await pressOn(page.getByRole('button', { name: 'Add a passkey' }));
      const ask = page.getByRole('dialog', { name: 'Add a passkey?' });
      await ask.getByLabel('Passkey name').fill('My phone');
      await confirm(ask);
      await page.getByText('Passkey added.').waitFor();
      await signOut(page);
      const suspendedUntil = new Date(Date.now() + 86_400_000).toISOString();
      await network.bus.publish(
        newEvent('moderation.decided.v1', {
          ...{ caseId: `user-${id}`, kind: 'user', subjectId: id, title: username, concernedId: id },
          ...{ version: 1, decision: 'suspend', byReports: false, state: 'live', suspendedUntil },
        }),
      );
      await network.settle();

      const words = page.getByLabel('Why we should review it again');
      await page.goto('/login');
      await pressOn(page.getByRole('button', { name: 'Log in with a passkey' }));
      await words.waitFor();
      expect(await page.getByLabel('Password').count()).toBe(0);

      // The other way in proves it as well; what was shown before is not needed.
      await pressOn(page.getByRole('link', { name: /Log in again/ }));
      await pressOn(page.getByRole('link', { name: 'Sign in with Google' }));
      await page.getByText("You can't log in for now.").waitFor();
      await page
        .getByRole('main')
        .getByText(`until ${suspendedUntil.slice(0, 10)}`)
        .waitFor();
      await words.fill('It was my brother');
      expect(await page.getByLabel('Password').count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      await pressOn(page.getByRole('button', { name: 'Appeal' }));
      await page.getByText("We'll review it again.").waitFor();

      // Who comes without having shown it is asked for the password.
      await page.goto('/appeal');
      await page.getByLabel('Password', { exact: true }).waitFor();
      await pressOn(page.getByRole('link', { name: /^No password/ }));
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
    });

    it('a browser without a passkey says so, and a failed authentication logs nobody in', async () => {
      const { page } = await browser.visitor({ viewport });
      const device = await giveDevice(page);
      await page.goto('/login');
      const button = page.getByRole('button', { name: 'Log in with a passkey' });
      await pressOn(button);
      await page.getByText("Your browser didn't provide a passkey.").waitFor();
      await hasFocus(button);
      expect(await findBarriers(page)).toEqual([]);

      const { username } = await newUser(network);
      await logIn(page, username);
      await page.goto('/settings');
      await pressOn(page.getByRole('button', { name: 'Add a passkey' }));
      const ask = page.getByRole('dialog', { name: 'Add a passkey?' });
      await ask.getByLabel('Passkey name').fill('My phone');
      await confirm(ask);
      await page.getByText('Passkey added.').waitFor();
      await signOut(page);
      await device.verify(false);
      await page.goto('/login');
      await pressOn(button);
      await page.getByText("Your browser didn't provide a passkey.").waitFor();
    });
  });
});
