import { describeWith, eventually, newUser, pressKey } from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('the settings', () => {
  const site = useSite();
  const phone = { width: 390, height: 844 };

  const open = async (path: string, viewport = { width: 1280, height: 800 }) => {
    const user = await newUser(site.network);
    return { ...user, ...(await site.visit(path, { token: user.token, viewport })) };
  };

  it('show one group at a time, beside their index (53.29)', async () => {
    const { page, consoleErrors } = await open('/settings');
    const index = page.getByRole('navigation', { name: 'Settings' });
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).waitFor();
    expect(await index.getByRole('link').allTextContents()).toEqual([
      'General',
      'Privacy and safety',
      'Messages and notifications',
      'Login and security',
      'Your account',
    ]);
    await pressKey(index.getByRole('link', { name: 'Your account' }));
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await page.getByRole('group', { name: 'Theme' }).waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Your account · Wayquest');
    expect(await index.locator('[aria-current]').textContent()).toBe('Your account');
    await pressKey(page.getByRole('link', { name: 'View decisions' }));
    await page.getByRole('heading', { name: 'Decisions about you', level: 1 }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('are a list of groups on a phone, which leads to each and back (53.29)', async () => {
    const { page, consoleErrors } = await open('/settings', phone);
    const index = page.getByRole('navigation', { name: 'Settings' });
    const theme = page.getByRole('group', { name: 'Theme' });
    const title = (name: string) => page.getByRole('heading', { name, level: 1 });
    const hasFocus = (name: string) =>
      eventually(async () =>
        expect(await title(name).evaluate((heading) => heading === document.activeElement)).toBe(true),
      );
    await index.waitFor();
    expect(await theme.isVisible()).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(index.getByRole('link', { name: 'General' }));
    await theme.waitFor();
    expect(await index.isVisible()).toBe(false);
    await hasFocus('General');
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(page.getByRole('link', { name: 'Settings', exact: true }));
    await index.waitFor();
    await hasFocus('Settings');
    await pressKey(index.getByRole('link', { name: 'Messages and notifications' }));
    await page.getByRole('switch', { name: 'Keep drafts' }).waitFor();
    await page.goBack();
    await index.waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('have an address for each section, which shows its group and scrolls to it (53.29)', async () => {
    const { page } = await open('/settings#blocks-title', phone);
    await page.getByRole('heading', { name: 'Privacy and safety', level: 1 }).waitFor();
    const section = page.getByRole('heading', { name: 'Blocked users' });
    await page.getByText("You haven't blocked anyone.").waitFor();
    await eventually(() => section.evaluate((heading) => heading.getBoundingClientRect().top < innerHeight));
  });

  it('ask for the address of account recovery where it is used (53.29)', async () => {
    const { page, username, client, consoleErrors } = await open('/settings#login', phone);
    const recovery = page.getByRole('region', { name: 'Account recovery' });
    await recovery.getByText('Add your email address').waitFor();
    await recovery.getByLabel('Email').fill(`${username}@wayquest.example`);
    await pressKey(recovery.getByRole('button', { name: 'Save' }));
    await recovery.getByText(`${username}@wayquest.example isn't confirmed yet.`).waitFor();
    await recovery.getByText("We've sent you a link.").waitFor();
    expect(await client.getMe()).toMatchObject({ email: `${username}@wayquest.example` });
    const { token } = await eventually(async () => {
      const [mail] = await site.network.mailsTo(`${username}@wayquest.example`);
      if (!mail) throw new Error('no mail');
      return mail;
    });
    await client.confirmEmail({ body: { token } });
    await page.reload();
    await recovery.getByText('is confirmed.').waitFor();
    expect(consoleErrors).toEqual([]);
  });
});
