import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  describeWith,
  eventually,
  type Network,
  newUser,
  openBrowser,
  startNetwork,
  type TestBrowser,
  testPassword,
} from '@wayquest/testing';

const webDirectory = fileURLToPath(new URL('../dist', import.meta.url));
const phone = { viewport: { width: 390, height: 844 } };

(await describeWith('chromium'))('in a browser', () => {
  let network: Network;
  let browser: TestBrowser;
  beforeAll(async () => {
    if (!existsSync(webDirectory)) throw new Error('the web app is not built: make build');
    network = await startNetwork({ webDirectory });
    browser = await openBrowser(network.url);
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const mailTo = (address: string, nth: number) =>
    eventually(async () => {
      const mail = (await network.mailsTo(address))[nth];
      if (!mail) throw new Error(`no mail ${nth}`);
      return mail;
    });

  it('who forgot the password comes back in by two mails, with the keyboard alone', async () => {
    const { username, client } = await newUser(network);
    const email = `${username}@wayquest.example`;
    await client.updateMe({ body: { email } });
    const confirmation = await mailTo(email, 0);
    const { page } = await browser.visitor(phone);
    await page.goto(`${confirmation.path}#token=${confirmation.token}`);
    await page.getByRole('button', { name: 'Yes, it is mine' }).press('Enter');
    await page.getByText('Your address is confirmed.').waitFor();

    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
    await page.getByLabel('E-mail').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText('a link is on its way').waitFor();
    const link = await mailTo(email, 1);
    await page.goto(`${link.path}#token=${link.token}`);
    await page.locator('[name="password"]').fill('one that I remember');
    await page.keyboard.press('Enter');
    await page.getByText('Your password is changed.').waitFor();
    await page.getByRole('link', { name: 'Back to login' }).press('Enter');
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill('one that I remember');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Menu of/ }).waitFor();

    await page.goto('/profile');
    await page.getByText(`${email} is confirmed.`).waitFor();
  });

  it('a browser that was left open long ago is asked for the password before the way in changes', async () => {
    const { username, me } = await newUser(network);
    const token = network.signToken({ sub: String(me.id), username, iat: Date.now() / 1_000 - 3_600 });
    const { page } = await browser.visitor();
    await page.goto('/home');
    await page.evaluate((kept) => localStorage.setItem('token', kept), token);
    await page.goto('/profile');
    const form = page.getByRole('form', { name: 'Update Profile Details' });
    await form.locator('[name="username"]').fill(`${username}-2`);
    await form.getByRole('button', { name: 'Update' }).click();
    await form.getByText('Please type your password').waitFor();
    await form.locator('[name="currentPassword"]').fill(testPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Your profile is up to date.').waitFor();
    expect(await network.client(token).getMe()).toMatchObject({ username: `${username}-2` });
  });
});
