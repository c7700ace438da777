import { describeWith, eventually, newUser, pressKey } from '@wayquest/testing';
import { useSite } from './support/start-site.ts';

(await describeWith('chromium'))('the interface language', () => {
  const site = useSite();

  it('is the browser’s if it is available, otherwise English, and applies to errors shown already', async () => {
    const { page, consoleErrors } = await site.visit('/login', { locale: 'zh-TW' });
    await page.getByRole('heading', { name: '欢迎回来' }).waitFor();
    await page.locator('html[lang="zh-Hans"]').waitFor();
    await page.getByLabel('用户名').fill('nobody');
    await page.getByLabel('密码', { exact: true }).fill('password-1234');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByText('用户名或密码不正确。').waitFor();
    await pressKey(page.getByRole('button', { name: 'English' }));
    await page.getByRole('alert').getByText('That username and password do not match.').waitFor();
    await pressKey(page.getByRole('button', { name: '中文' }));
    await page.getByText('用户名或密码不正确。').waitFor();
    expect(consoleErrors.filter((text) => !text.includes('401'))).toEqual([]);

    const frenchBrowser = await site.visit('/login', { locale: 'fr-FR' });
    await frenchBrowser.page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  });

  it('can be changed in the footer, which loads the catalogue, and is kept after a reload', async () => {
    const { page } = await site.browser.visitor();
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    const chineseFiles = () => requestedUrls.filter((url) => /\/zh-[^/]+\.js$/.test(url)).length;
    await page.goto('/home');
    await page.getByRole('link', { name: 'Start Exploring' }).waitFor();
    expect(chineseFiles()).toBe(0);
    await pressKey(page.getByRole('button', { name: '中文' }));
    await page.getByRole('link', { name: '开始探索' }).waitFor();
    expect(chineseFiles()).toBe(1);
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('中文'),
    );
    await page.reload();
    await page.getByRole('link', { name: '开始探索' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Start Exploring' }).waitFor();
  });

  it('can be changed without drawing the map of the home page again', async () => {
    const { client } = await newUser(site.network);
    const position = { lat: 40.75, lng: -73.83 };
    await client.createChallenge({ body: { name: 'Walk', difficulty: 'Easy', position } });
    const { page } = await site.browser.visitor();
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.goto('/home');
    await page.getByRole('link', { name: 'Explore the map' }).scrollIntoViewIfNeeded();
    await eventually(() => expect(workers).toHaveLength(1));
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('link', { name: '开始探索' }).waitFor();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(workers).toHaveLength(1);
  });
});
