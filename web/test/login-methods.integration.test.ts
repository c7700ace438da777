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
  pressKey,
  startFakeGoogle,
  startNetwork,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { findBarriers } from './screens/checks.ts';

const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
/** The narrow window has the least space. */
const viewport = { width: 390, height: 844 };

(await describeWith('chromium'))('login methods in a browser', () => {
  let google: FakeGoogle;
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
    google = await startFakeGoogle();
    network = await startNetwork({ webDirectory, auth: { google: google.config } });
    // Passkeys need a host name, not an IP address.
    browser = await openBrowser(network.url.replace('127.0.0.1', 'localhost'));
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await google?.stop();
  });

  const setGooglePerson = (name: string) => {
    google.person = { sub: `${name}-${process.pid}`, name, email: 'same@wayquest.example' };
  };
  const logIn = async (page: Page, username: string) => {
    await page.goto('/login');
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();
  };
  const openSettings = async () => {
    const { username, me, token } = await newUser(network);
    const visitor = await browser.visitor({ viewport, token });
    await visitor.page.goto('/settings#login');
    return { ...visitor, username, id: me.id };
  };
  const deleteToken = async (page: Page) => {
    // The app would send its remaining requests without a token.
    await page.goto('/before-paint.js');
    await page.evaluate(() => localStorage.removeItem('token'));
  };
  /** Adds a virtual authenticator that creates and presents passkeys without interaction. */
  const addAuthenticator = async (page: Page) => {
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
      /** Sets whether the user verification of the authenticator succeeds. */
      verify: (isUserVerified: boolean) =>
        chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    };
  };
  /** Confirms a change of login methods with a password. */
  const confirmWithPassword = async (dialog: Locator, password = testPassword) => {
    await dialog.waitFor();
    await dialog.getByLabel('Current password').fill(password);
    await dialog.page().keyboard.press('Enter');
  };
  const addPasskey = async (page: Page) => {
    await pressKey(page.getByRole('button', { name: 'Add a passkey' }));
    const dialog = page.getByRole('dialog', { name: 'Add a passkey?' });
    await dialog.getByLabel('Passkey name').fill('My phone');
    await confirmWithPassword(dialog);
    await page.getByText('Passkey added.').waitFor();
  };
  const hasFocus = (target: Locator) =>
    eventually(() => target.evaluate((element) => element === document.activeElement));

  it('a Google account is linked, logs in, and is unlinked, by keyboard only', async () => {
    const { page, username, consoleErrors } = await openSettings();
    setGooglePerson('Linked');
    const section = page.getByRole('region', { name: 'Google' });
    await section.getByText('No Google account is linked').waitFor();
    const linkButton = section.getByRole('button', { name: 'Link Google' });
    await pressKey(linkButton);
    const dialog = page.getByRole('dialog', { name: 'Link a Google account?' });
    await confirmWithPassword(dialog, 'not my password');
    await dialog.getByText('That is not your current password.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await hasFocus(linkButton);
    await pressKey(linkButton);
    await confirmWithPassword(dialog);
    await page.getByText('Google account linked. You can now sign in with it.').waitFor();
    // Without the code, at the section that it belongs to.
    expect(new URL(page.url()).hash).toBe('#google-title');
    await section.getByText('A Google account is linked to yours.').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await deleteToken(page);
    await page.goto('/login');
    await pressKey(page.getByRole('link', { name: 'Sign in with Google' }));
    await page.getByRole('button', { name: `${username}'s menu` }).waitFor();

    await page.goto('/settings#login');
    const unlinkButton = section.getByRole('button', { name: 'Unlink Google' });
    await pressKey(unlinkButton);
    await confirmWithPassword(page.getByRole('dialog', { name: 'Unlink Google?' }));
    await page.getByText('Google account unlinked.').waitFor();
    await hasFocus(section.getByRole('button', { name: 'Link Google' }));
    // The wrong password causes a 401.
    expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });

  it('linking a Google account of another user, and removing the only login method, are rejected with the reason', async () => {
    setGooglePerson('Taken');
    const ownerBrowser = await browser.visitor({ viewport });
    await ownerBrowser.page.goto('/signup');
    await pressKey(ownerBrowser.page.getByRole('link', { name: 'Sign Up with Google' }));
    await ownerBrowser.page.getByRole('button', { name: /'s menu/ }).waitFor();
    await ownerBrowser.page.goto('/settings#login');
    await pressKey(ownerBrowser.page.getByRole('button', { name: 'Unlink Google' }));
    const confirmation = ownerBrowser.page.getByRole('dialog', { name: 'Unlink Google?' });
    await pressKey(confirmation.getByRole('button', { name: 'Unlink Google' }));
    await confirmation.getByText("That's the only way to log in to your account.").waitFor();

    const { page } = await openSettings();
    await pressKey(page.getByRole('button', { name: 'Link Google' }));
    await confirmWithPassword(page.getByRole('dialog', { name: 'Link a Google account?' }));
    await page.getByText('That Google account is linked to another Wayquest account.').waitFor();
    await page.getByText('No Google account is linked').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('a passkey is added, logs in, and is removed, by keyboard only', async () => {
    const { page, username, consoleErrors } = await openSettings();
    await addAuthenticator(page);
    const section = page.getByRole('region', { name: 'Passkeys' });
    const addButton = section.getByRole('button', { name: 'Add a passkey' });
    await pressKey(addButton);
    const dialog = page.getByRole('dialog', { name: 'Add a passkey?' });
    await dialog.getByLabel('Passkey name').fill('My phone');
    await confirmWithPassword(dialog, 'not my password');
    await dialog.getByText('That is not your current password.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await confirmWithPassword(dialog);
    await page.getByText('Passkey added.').waitFor();
    await hasFocus(addButton);
    await section.getByText(/^Added .*, never used$/).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // The authenticator already has a passkey of this account.
    await pressKey(addButton);
    await dialog.getByLabel('Passkey name').fill('My phone again');
    await confirmWithPassword(dialog);
    await dialog.getByText("Your browser didn't create a passkey.").waitFor();
    await page.keyboard.press('Escape');

    await deleteToken(page);
    await page.goto('/login');
    await pressKey(page.getByRole('button', { name: 'Log in with a passkey' }));
    await page.getByRole('button', { name: `${username}'s menu` }).waitFor();

    // The draft of the passkey that was not created.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/settings#login');
    await section.getByText(/^Added .*, last used /).waitFor();
    // A name is proposed for this browser, which has logged in itself (53, finding 38).
    await pressKey(addButton);
    await eventually(async () =>
      expect(await dialog.getByLabel('Passkey name').inputValue()).toMatch(/^Chrome on \w+$/),
    );
    await page.keyboard.press('Escape');
    await pressKey(section.getByRole('button', { name: 'Remove My phone' }));
    const confirmation = page.getByRole('dialog', { name: 'Remove this passkey?' });
    await confirmation.getByText('“My phone” can no longer be used to log in.').waitFor();
    await confirmWithPassword(confirmation);
    await page.getByText('Passkey removed.').waitFor();
    await section.getByRole('listitem').waitFor({ state: 'detached' });
    // The pressed button was removed; the focus stays in the section.
    await eventually(() => section.evaluate((element) => element.contains(document.activeElement)));
    expect(consoleErrors.filter((text) => !/status of 401/.test(text))).toEqual([]);

    await deleteToken(page);
    await page.goto('/login');
    await pressKey(page.getByRole('button', { name: 'Log in with a passkey' }));
    // The browser has removed it, too, if it knows the signal.
    await page.getByText(/That passkey was removed from your account|didn't provide a passkey/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('a removed passkey and a new username are signaled to password managers (Q23)', async () => {
    const { page, username } = await openSettings();
    await page.addInitScript(() => {
      for (const name of [
        'signalAllAcceptedCredentials',
        'signalCurrentUserDetails',
        'signalUnknownCredential',
      ])
        Object.defineProperty(PublicKeyCredential, name, {
          value: async (options: object) => console.info(`signal ${JSON.stringify({ name, ...options })}`),
        });
    });
    const signals: Record<string, unknown>[] = [];
    page.on('console', (message) => {
      const [, json] = /^signal (.*)/.exec(message.text()) ?? [];
      if (json) signals.push(JSON.parse(json));
    });
    await page.reload();
    await addAuthenticator(page);
    await addPasskey(page);
    await pressKey(page.getByRole('button', { name: 'Remove My phone' }));
    await confirmWithPassword(page.getByRole('dialog', { name: 'Remove this passkey?' }));
    await page.getByText('Passkey removed.').waitFor();
    const userId = expect.stringMatching(/^[\w-]+$/);
    await eventually(() =>
      expect(signals).toEqual([
        { name: 'signalAllAcceptedCredentials', rpId: 'localhost', userId, allAcceptedCredentialIds: [] },
      ]),
    );

    await page.goto('/profile#update-title');
    const form = page.getByRole('form', { name: 'Update Profile Details' });
    await form.locator('[name="username"]').fill(`${username}-2`);
    await form.getByRole('button', { name: 'Update' }).click();
    await page.getByText('Profile updated.').waitFor();
    const details = { name: `${username}-2`, displayName: `${username}-2` };
    await eventually(() => expect(signals.at(-1)).toEqual({ ...details, rpId: 'localhost', userId }));

    await deleteToken(page);
    await page.goto('/login');
    await pressKey(page.getByRole('button', { name: 'Log in with a passkey' }));
    await page.getByText('That passkey was removed from your account.').waitFor();
    await eventually(() =>
      expect(signals.at(-1)).toMatchObject({
        name: 'signalUnknownCredential',
        credentialId: expect.any(String),
      }),
    );
  });

  it('a suspended user appeals without a password after signing in with Google or a passkey', async () => {
    setGooglePerson('Suspended');
    const { page, username, id } = await openSettings();
    await addAuthenticator(page);
    await pressKey(page.getByRole('button', { name: 'Link Google' }));
    await confirmWithPassword(page.getByRole('dialog', { name: 'Link a Google account?' }));
    await page.getByText('Google account linked.').waitFor();
    await addPasskey(page);
    await deleteToken(page);
    const suspendedUntil = new Date(Date.now() + 86_400_000).toISOString();
    await network.bus.publish(
      newEvent('moderation.decided.v1', {
        ...{ caseId: `user-${id}`, kind: 'user', subjectId: id, title: username, affectedUserId: id },
        ...{ version: 1, decision: 'suspend', byReports: false, state: 'live', suspendedUntil },
      }),
    );
    await network.settle();

    const reasonField = page.getByLabel('Why we should review it again');
    await page.goto('/login');
    await pressKey(page.getByRole('button', { name: 'Log in with a passkey' }));
    await reasonField.waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);

    // The other login method works as well, without the previous one.
    await pressKey(page.getByRole('link', { name: /Log in again/ }));
    await pressKey(page.getByRole('link', { name: 'Sign in with Google' }));
    await page.getByText("You can't log in for now.").waitFor();
    await page
      .getByRole('main')
      .getByText(`until ${suspendedUntil.slice(0, 10)}`)
      .waitFor();
    await reasonField.fill('It was my brother');
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(page.getByRole('button', { name: 'Appeal' }));
    await page.getByText("We'll review it again.").waitFor();

    // Without a previous sign-in the page asks for the password.
    await page.goto('/appeal');
    await page.getByLabel('Password', { exact: true }).waitFor();
    await pressKey(page.getByRole('link', { name: /^No password/ }));
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
  });

  it('logging in fails with a message if the browser has no passkey or the user verification fails', async () => {
    const { page } = await browser.visitor({ viewport });
    const authenticator = await addAuthenticator(page);
    await page.goto('/login');
    const button = page.getByRole('button', { name: 'Log in with a passkey' });
    await pressKey(button);
    await page.getByText("Your browser didn't provide a passkey.").waitFor();
    await hasFocus(button);
    expect(await findBarriers(page)).toEqual([]);

    const { username } = await newUser(network);
    await logIn(page, username);
    await page.goto('/settings#login');
    await addPasskey(page);
    await deleteToken(page);
    await authenticator.verify(false);
    await page.goto('/login');
    await pressKey(button);
    await page.getByText("Your browser didn't provide a passkey.").waitFor();
  });
});
