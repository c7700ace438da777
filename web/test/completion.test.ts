import { readFileSync } from 'node:fs';
import {
  complete,
  describeWith,
  eventually,
  type Network,
  newChallenge,
  newUser,
  openBrowser,
  pressOn,
  type TestBrowser,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startSite } from './support/start-site.ts';

/** As a phone takes it: larger than the server accepts, and with the place where it was. */
const heron = async () => {
  const jpeg = await sharp({ create: { width: 2_000, height: 1_500, channels: 3, background: '#6aa08a' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([jpeg, Buffer.alloc(2 * 1024 * 1024)]);
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

(await describeWith('chromium'))('completing a challenge', () => {
  let network: Network;
  let browser: TestBrowser;
  let page: Page;
  let consoleErrors: string[];
  let challengeId: number;
  let walker: TestUser;
  let reader: TestUser;

  beforeAll(async () => {
    // Reading the places holds all up for a while: better now than in the middle.
    network = await startSite({ places: { readAhead: true } });
    browser = await openBrowser(network.url);
    const maker = await newUser(network);
    reader = await newUser(network);
    const at = (lat: number) => ({ position: { lat, lng: -73.82 } });
    challengeId = (await newChallenge(maker, { ...at(40.75), name: 'Count the bridges' })).id;
    await newChallenge(maker, { ...at(40.9), name: 'Far away' });
    await newChallenge(maker, { ...at(40.76), name: 'Round the corner' });
    walker = await newUser(network, 'walker');
    ({ page, consoleErrors } = await browser.visitor());
    await page.addInitScript((token) => localStorage.setItem('token', token), walker.token);
    await network.settle();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
  });

  const joinAndComplete = async () => {
    await page.goto(`/challenges/${challengeId}`);
    await button(page, 'Join Challenge!').click();
    await pressOn(button(page, 'Mark as Complete'));
  };
  const dialog = () => page.getByRole('dialog', { name: 'You were there!' });
  const focused = () =>
    page.evaluate(() => ({
      inDialog: !!document.activeElement?.closest('dialog'),
      nowhere: document.activeElement === document.body,
    }));

  it('shows the result accessibly: points, the rank before and after, and what is next', async () => {
    await joinAndComplete();
    await dialog().getByText('+10 points', { exact: true }).waitFor();
    await eventually(async () => expect(await focused()).toEqual({ inDialog: true, nowhere: false }));
    await dialog().getByText('Count the bridges').waitFor();
    await dialog().getByText('10 points in total').waitFor();
    await dialog().getByText('Rank 3 → 1').waitFor();
    await dialog().getByText('Round the corner').waitFor();
    await eventually(async () =>
      expect(await dialog().getByRole('heading', { level: 3 }).allTextContents()).toEqual([
        'Round the corner',
        'Far away',
      ]),
    );
  });

  it('draws a picture of it, to be saved where nothing can be shared', async () => {
    const coming = page.waitForEvent('download');
    await button(page, 'Share a picture').click();
    const download = await coming;
    const png = readFileSync(await download.path());
    expect([download.suggestedFilename(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'wayquest.png',
      1080,
      1080,
    ]);
    // A sheet of one colour would be some kilobytes.
    expect(png.length).toBeGreaterThan(30_000);
  });

  it('shares it with the device’s dialog, which can be canceled', async () => {
    await page.evaluate(() => {
      const shared: string[] = [];
      Object.assign(navigator, {
        canShare: () => true,
        share: async ({ title, files }: ShareData) => {
          shared.push(`${title} ${files?.[0]?.type}`);
          document.body.dataset.shared = shared.join();
          throw new DOMException('no', 'AbortError');
        },
      });
    });
    await button(page, 'Share a picture').click();
    await page.locator('body[data-shared="Count the bridges image/png"]').waitFor();
  });

  it('takes a note and a photo, which is made smaller before it is sent', async () => {
    await button(page, 'Add a note or photo').click();
    const field = dialog().getByLabel('Note (optional)');
    await field.fill('x'.repeat(281));
    await dialog().getByRole('alert').filter({ hasText: '281' }).waitFor();
    await field.fill('Five bridges and a heron');
    await dialog()
      .locator('input[type="file"]')
      .setInputFiles({ name: 'heron.jpg', mimeType: 'image/jpeg', buffer: await heron() });
    await dialog().getByAltText('The photo you chose').waitFor();
    await button(page, 'Save').click();
    await dialog().getByText("Saved. It's in the challenge's log.").waitFor();
    await eventually(async () => expect(await focused()).toEqual({ inDialog: true, nowhere: false }));
    await button(page, 'Edit your note and photo').waitFor();
    const [{ id, photo } = { id: 0, photo: '' }] = await reader.client.listLog({
      params: { id: challengeId },
    });
    const stored = await reader.client.getPhoto({ params: { id, photo: photo ?? '' } });
    expect(await sharp(await stored.arrayBuffer()).metadata()).toMatchObject({ width: 1_280, height: 960 });
  });

  it('leaves the page as it was, with the focus on it', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await eventually(async () => expect(await focused()).toEqual({ inDialog: false, nowhere: false }));
    await page.getByText('Completed! You earned 10 points.').waitFor();
    await page.getByText('10 Points', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('adds a stamp to the trail book, visible to others', async () => {
    const book = page.getByRole('region', { name: 'Trail book' });
    const stamps = book.getByRole('list', { name: 'Trail book' });
    await stamps.getByRole('link', { name: 'Count the bridges' }).waitFor();
    await book.getByText('1 stamp', { exact: true }).waitFor();
    await book.getByText('1-week streak').waitFor();
    const { page: other, consoleErrors: others } = await browser.visitor();
    await other.addInitScript((token) => localStorage.setItem('token', token), reader.token);
    await other.goto(`/users/${walker.me.id}`);
    await other.getByRole('region', { name: 'Trail book' }).getByText('Count the bridges').waitFor();
    const mapOf = (book: Page) => book.getByRole('list', { name: 'Trail map' }).getByRole('link');
    expect(await mapOf(other).count()).toBe(0);
    expect(await other.getByLabel('Who can see my trail map').count()).toBe(0);
    await book.scrollIntoViewIfNeeded();
    await mapOf(page).waitFor();
    await eventually(async () => expect(await mapOf(page).allTextContents()).toEqual(['Count the bridges']));
    const kept = page.waitForResponse('**/api/trails/*/map');
    await page.getByLabel('Who can see my trail map').selectOption('Everyone who is logged in');
    await kept;
    await other.reload();
    await pressOn(mapOf(other));
    await other.waitForURL(`**/challenges/${challengeId}`);
    expect(others).toEqual([]);
    await other.context().close();
  });

  const logOf = (of: Page, name = 'Log') => of.getByRole('region', { name, exact: true });
  /** The log is loaded when it is scrolled into view. */
  const goToLog = (of: Page) => of.locator('#participants-title').scrollIntoViewIfNeeded();

  it('appears in the challenge’s log with its photo, which opens larger and can be reported', async () => {
    const { page: other, consoleErrors: others } = await browser.visitor();
    await other.addInitScript((token) => localStorage.setItem('token', token), reader.token);
    await other.goto(`/challenges/${challengeId}`);
    await goToLog(other);
    const entry = logOf(other).getByRole('listitem').filter({ hasText: 'walker' });
    await entry.getByText('Five bridges and a heron').waitFor();
    // It is loaded once it is near.
    await entry.scrollIntoViewIfNeeded();
    await pressOn(entry.getByRole('button', { name: 'Photo by walker' }));
    const large = other.getByRole('dialog', { name: 'Photo by walker' });
    const widthOf = () => large.getByRole('img').evaluate((image) => image.clientWidth);
    await eventually(async () => expect(await widthOf()).toBeGreaterThan(600));
    await large.getByRole('button', { name: 'Close' }).click();
    await large.waitFor({ state: 'hidden' });
    await pressOn(entry.getByRole('button', { name: 'Report this note and photo' }));
    await other.getByLabel('Insults, threats or hate').check();
    await button(other, 'Send').click();
    await other.getByText("Thank you. We'll review it.").waitFor();
    expect(await logOf(other).getByRole('button', { name: 'Add a note or photo' }).count()).toBe(0);
    expect(others).toEqual([]);
    await other.context().close();
  });

  it('can be changed by its owner, in their language', async () => {
    const { page: chinese, consoleErrors: others } = await browser.visitor({ locale: 'zh-CN' });
    await chinese.addInitScript((token) => localStorage.setItem('token', token), walker.token);
    await chinese.goto(`/challenges/${challengeId}`);
    await goToLog(chinese);
    const log = logOf(chinese, '完成记录');
    const entry = log.getByRole('listitem').filter({ hasText: 'walker' });
    await entry.getByText('Five bridges and a heron').waitFor();
    await entry.scrollIntoViewIfNeeded();
    await entry.getByRole('button', { name: 'walker 的照片' }).waitFor();
    await pressOn(button(chinese, '修改你的留言和照片'));
    await log.getByLabel('留言（可不填）').fill('六座桥');
    await button(chinese, '移除照片').click();
    await button(chinese, '保存').click();
    await entry.getByText('六座桥').waitFor();
    expect(await entry.getByRole('img').count()).toBe(0);
    await chinese.reload();
    await goToLog(chinese);
    await entry.getByText('六座桥').waitFor();
    expect(await entry.getByRole('img').count()).toBe(0);
    expect(others).toEqual([]);
    await chinese.context().close();
  });

  it('asks visitors to log in before it shows the log', async () => {
    const { page: visitor } = await browser.visitor();
    await visitor.goto(`/challenges/${challengeId}`);
    await goToLog(visitor);
    await logOf(visitor).getByText('Members see who completed it').waitFor();
    await logOf(visitor).getByRole('link', { name: 'Log in to see the log' }).click();
    await visitor.waitForURL('**/login');
    await visitor.context().close();
  });

  it('shows an empty log, a failed one, and further pages', async () => {
    const { id } = await newChallenge(await newUser(network));
    const { page: other } = await browser.visitor();
    await other.addInitScript((token) => localStorage.setItem('token', token), reader.token);
    await other.goto(`/challenges/${id}`);
    await goToLog(other);
    await logOf(other).getByText('No completions to show yet.').waitFor();
    for (let count = 0; count < 21; count += 1) await complete(await newUser(network), { id });
    await network.settle();
    await other.route('**/log', (route) => route.abort());
    await other.reload();
    await goToLog(other);
    await logOf(other).getByText("The log couldn't be loaded.").waitFor();
    await other.unroute('**/log');
    await pressOn(logOf(other).getByRole('button', { name: 'Try again' }));
    const entries = logOf(other).getByRole('listitem');
    await eventually(async () => expect(await entries.count()).toBe(20));
    await pressOn(logOf(other).getByRole('button', { name: 'Show more' }));
    await eventually(async () => expect(await entries.count()).toBe(21));
    expect(await logOf(other).getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await other.context().close();
  });

  it('shares a challenge’s URL with the device’s dialog, otherwise by the clipboard', async () => {
    const { page: visitor, consoleErrors: visitors } = await browser.visitor({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await visitor.addInitScript(() => {
      const shared: string[] = [];
      Object.assign(navigator, {
        share: async ({ title, url }: ShareData) => {
          shared.push(`${title} ${url}`);
          document.body.dataset.shared = String(shared.length);
          document.body.dataset.last = shared.at(-1);
          if (shared.length === 1) throw new DOMException('changed my mind', 'AbortError');
          if (shared.length === 3) throw new DOMException('not here', 'NotAllowedError');
        },
      });
    });
    await visitor.goto(`/challenges/${challengeId}`);
    const url = visitor.url();
    const notice = visitor.getByRole('status').filter({ hasText: 'link' });
    for (const time of [1, 2]) {
      await button(visitor, 'Share').click();
      await visitor.locator(`body[data-shared="${time}"][data-last="Count the bridges ${url}"]`).waitFor();
    }
    // What that answer leads to has been drawn by now.
    await visitor.evaluate(() => new Promise(requestAnimationFrame));
    expect(await notice.count()).toBe(0);
    await button(visitor, 'Share').click();
    await notice.getByText(`Couldn't copy the link: ${url}`).waitFor();
    await visitor.evaluate(() => Object.assign(navigator, { share: undefined }));
    await button(visitor, 'Share').click();
    await notice.getByText('Link copied.').waitFor();
    expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(url);
    expect(visitors).toEqual([]);
    await visitor.context().close();
  });

  it('says that a challenge completed again earned nothing more', async () => {
    await page.goto(`/challenges/${challengeId}`);
    await button(page, 'Leave Challenge').click();
    await button(page, 'Join Challenge!').waitFor();
    await joinAndComplete();
    await dialog().getByText("You've already earned these points.").waitFor();
    await dialog().getByText('Rank 1 (unchanged)').waitFor();
    await dialog().getByText('10 points in total').waitFor();
    await button(page, 'Continue').click();
    await page.getByText("Completed! You've already earned these points.").waitFor();
  });

  it('says in the reader’s language why it earned nothing', async () => {
    const maker = await newUser(network);
    const own = () => newChallenge(maker);
    for (let count = 0; count < 3; count += 1) await complete(maker, await own());
    const { page: chinese, consoleErrors: others } = await browser.visitor({ locale: 'zh-CN' });
    await chinese.addInitScript((token) => localStorage.setItem('token', token), maker.token);
    await network.settle();
    await chinese.goto(`/challenges/${(await own()).id}`);
    await button(chinese, '加入挑战！').click();
    await pressOn(button(chinese, '标记为完成'));
    const why = '这次没有积分：你自己发起的挑战今天能得的积分已经得满了。';
    await chinese.getByRole('dialog', { name: '你到过这里！' }).getByText(why).waitFor();
    await chinese.keyboard.press('Escape');
    await chinese.getByRole('status').getByText(why).waitFor();
    expect(others).toEqual([]);
    await chinese.context().close();
  });

  it('is not shown after a failure', async () => {
    const other = await newChallenge(await newUser(network));
    challengeId = other.id;
    await page.route('**/api/points/', (route) => route.abort());
    await joinAndComplete();
    await page.getByText('Your points are on their way.').waitFor();
    expect(await dialog().isVisible()).toBe(false);
  });
});
