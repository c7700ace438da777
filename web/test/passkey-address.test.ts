import { describeWith, newUser } from '@wayquest/testing';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('at an address of numbers', () => {
  const site = useSite();

  it('the login offers no passkeys, and the settings say why (Q24)', async () => {
    const { page } = await site.visit('/login');
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    await page.locator('#root:not([data-prerendered])').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Log in with a passkey' }).count()).toBe(0);

    const { token } = await newUser(site.network);
    const { page: settings } = await site.visit('/settings#login', { token });
    await settings.getByText('Passkeys need a name in the address of this page, such as localhost').waitFor();
    expect(await settings.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  });
});
