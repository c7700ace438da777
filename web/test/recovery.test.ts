import { readFile } from 'node:fs/promises';
import { describeWith, eventually, newUser, pressKey, testPassword } from '@wayquest/testing';
import { shortDay } from '../src/shared/lib/days.ts';
import { useSite } from './support/start-site.ts';

const phone = { viewport: { width: 390, height: 844 } };

(await describeWith('chromium'))('account recovery in a browser', () => {
  const site = useSite();

  const mailTo = (address: string, index: number) =>
    eventually(async () => {
      const mail = (await site.network.mailsTo(address))[index];
      if (!mail) throw new Error(`no mail ${index}`);
      return mail;
    });

  it('a forgotten password is reset by a link sent to a confirmed address, by keyboard only (Y2)', async () => {
    const { username, client } = await newUser(site.network);
    const email = `${username}@wayquest.example`;
    await client.updateMe({ body: { email } });
    const confirmation = await mailTo(email, 0);
    const { page } = await site.browser.visitor(phone);
    await page.goto(`${confirmation.path}#token=${confirmation.token}`);
    await pressKey(page.getByRole('button', { name: 'Confirm' }));
    await page.getByText('Email confirmed.').waitFor();
    await page.reload();
    await pressKey(page.getByRole('button', { name: 'Confirm' }));
    await page.getByRole('alert').getByText('has already been used').waitFor();
    await page.getByRole('link', { name: 'Request a new one in your settings' }).waitFor();

    await page.goto('/login');
    await pressKey(page.getByRole('link', { name: 'Forgot your password?' }));
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText("we've sent it a reset link").waitFor();
    const link = await mailTo(email, 1);
    await page.goto(`${link.path}#token=${link.token}`);
    // Password managers store the new password under it (Y2).
    await eventually(async () => expect(await page.locator('[name="username"]').inputValue()).toBe(username));
    await page.locator('[name="password"]').fill('one that I remember');
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();
    await page.getByText('Passkeys and a linked Google account still work').waitFor();
    await pressKey(page.getByRole('link', { name: 'Back to login' }));
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill('one that I remember');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /'s menu/ }).waitFor();

    await page.goto('/settings#login');
    await page.getByText(`${email} is confirmed.`).waitFor();
  });

  it('a user exports their data, requests the deletion, sees its date, and cancels it by logging in, by keyboard only', async () => {
    const { username, me } = await newUser(site.network);
    const { page } = await site.browser.visitor(phone);
    const logIn = async () => {
      // Not the fields of the settings, which may still be shown.
      const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Login' }) });
      await form.locator('[name="username"]').fill(username);
      await form.locator('[name="password"]').fill(testPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /'s menu/ }).waitFor();
    };
    await page.goto('/login');
    await logIn();
    await page.goto('/settings#account');
    await pressKey(page.getByRole('button', { name: 'Request my data' }));
    await page.getByText('Ready to download until').waitFor();
    const downloading = page.waitForEvent('download');
    await pressKey(page.getByRole('button', { name: 'Download' }));
    // By the browser itself, from an address of the site, and not from memory.
    const download = await downloading;
    expect(download.url()).toMatch(/^http:.*\/api\/archive\/\d+\/file\?key=/);
    expect(download.suggestedFilename()).toBe('wayquest.zip');
    expect(String((await readFile(await download.path())).subarray(0, 2))).toBe('PK');

    // A notification links to the export.
    await pressKey(page.getByRole('link', { name: '1 unread notification' }));
    await pressKey(page.getByRole('link', { name: 'Your data is ready.' }));
    await page.getByText('Ready to download until').waitFor();
    expect(new URL(page.url()).hash).toBe('#data-title');
    const data = page.getByRole('heading', { name: 'My data' });
    await eventually(() =>
      data.evaluate((heading) => {
        const { top } = heading.getBoundingClientRect();
        return top >= 0 && top < innerHeight / 2;
      }),
    );

    const deleteButton = page.getByRole('button', { name: 'Delete my account' }).first();
    await pressKey(deleteButton);
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText('log in again within 14 days').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => deleteButton.evaluate((button) => button === document.activeElement));

    await pressKey(deleteButton);
    const password = dialog.getByLabel('Current password');
    await password.fill('not my password');
    await page.keyboard.press('Enter');
    await dialog.getByText('That is not your current password.').waitFor();
    await password.fill(testPassword);
    const inTwoWeeks = () =>
      shortDay(new Date(Date.now() + 14 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10));
    const before = inTwoWeeks();
    await page.keyboard.press('Enter');
    await page.getByText('Your account will be deleted on').waitFor();
    // The day may change during the test.
    const days = [...new Set([before, inTwoWeeks()])].join('|');
    await page.getByText(new RegExp(`Your account will be deleted on (${days})\\.`)).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await logIn();
    await page.getByText('Your account will no longer be deleted.').waitFor();
    expect(await site.network.client().getUser({ params: { id: me.id } })).toMatchObject({ username });
  });

  it('an old session requires the password to change the username', async () => {
    const { username, me } = await newUser(site.network);
    const token = site.network.signToken({ sub: String(me.id), username, iat: Date.now() / 1_000 - 3_600 });
    const { page } = await site.browser.visitor();
    await page.goto('/home');
    await page.evaluate((value) => localStorage.setItem('token', value), token);
    await page.goto('/profile#update-title');
    const form = page.getByRole('form', { name: 'Update Profile Details' });
    await form.locator('[name="username"]').fill(`${username}-2`);
    await form.getByRole('button', { name: 'Update' }).click();
    await form.getByText('Please confirm your password').waitFor();
    await form.locator('[name="currentPassword"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Profile updated.').waitFor();
    expect(await site.network.client(token).getMe()).toMatchObject({ username: `${username}-2` });
  });
});
