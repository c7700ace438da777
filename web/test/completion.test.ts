import { readFileSync } from 'node:fs';
import {
  complete,
  describeWith,
  eventually,
  newChallenge,
  newUser,
  pressKey,
  type TestUser,
} from '@wayquest/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { useSite } from './support/start-site.ts';

/** A photo as phones take it: larger than the server accepts, with a GPS position. */
const renderPhoto = async () => {
  const jpeg = await sharp({ create: { width: 2_000, height: 1_500, channels: 3, background: '#6aa08a' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([jpeg, Buffer.alloc(2 * 1024 * 1024)]);
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

(await describeWith('chromium'))('completing a challenge', () => {
  // Loading the gazetteer blocks the process for a while, so it is loaded before the tests.
  const site = useSite({ places: { preload: true } });
  let page: Page;
  let consoleErrors: string[];
  let challengeId: number;
  let participant: TestUser;
  let reader: TestUser;

  beforeAll(async () => {
    const creator = await newUser(site.network);
    reader = await newUser(site.network);
    const at = (lat: number) => ({ position: { lat, lng: -73.82 } });
    challengeId = (await newChallenge(creator, { ...at(40.75), name: 'Count the bridges' })).id;
    await newChallenge(creator, { ...at(40.9), name: 'Far away' });
    await newChallenge(creator, { ...at(40.76), name: 'Round the corner' });
    const nearest = await newChallenge(creator, { ...at(40.751), name: 'Joined before' });
    participant = await newUser(site.network, 'walker');
    await site.network.settle();
    await participant.client.joinChallenge({ body: { challengeId: nearest.id } });
    ({ page, consoleErrors } = await site.browser.visitor({ token: participant.token }));
    await site.network.settle();
  });

  const joinAndComplete = async () => {
    await page.goto(`/challenges/${challengeId}`);
    await button(page, 'Join Challenge!').click();
    await pressKey(button(page, 'Mark as Complete'));
  };
  const dialog = () => page.getByRole('dialog', { name: 'Completed!' });
  const focused = () =>
    page.evaluate(() => ({
      inDialog: !!document.activeElement?.closest('dialog'),
      nowhere: document.activeElement === document.body,
    }));

  it('shows the points, the rank before and after, and nearby challenges that are not joined in a dialog that has the focus (52)', async () => {
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

  it('downloads a picture of the result if the browser cannot share files', async () => {
    const downloadStarted = page.waitForEvent('download');
    await button(page, 'Share a picture').click();
    const download = await downloadStarted;
    const png = readFileSync(await download.path());
    expect([download.suggestedFilename(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'wayquest.png',
      1080,
      1080,
    ]);
    // A picture of a single color would be a few kilobytes.
    expect(png.length).toBeGreaterThan(30_000);
  });

  it('shares the picture by the device’s dialog if available, which can be canceled', async () => {
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

  it('saves a note and a photo, which is scaled down before it is sent', async () => {
    await button(page, 'Add a note or photo').click();
    const field = dialog().getByLabel('Note (optional)');
    await field.fill('x'.repeat(281));
    await dialog().getByRole('alert').filter({ hasText: '281' }).waitFor();
    await field.fill('Five bridges and a heron');
    await dialog()
      .locator('input[type="file"]')
      .setInputFiles({ name: 'heron.jpg', mimeType: 'image/jpeg', buffer: await renderPhoto() });
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

  it('shows the points on the page, which has the focus, after Escape closes the dialog', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await eventually(async () => expect(await focused()).toEqual({ inDialog: false, nowhere: false }));
    await page.getByText('Completed! You earned 10 points.').waitFor();
    await page.getByText('10 Points', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  it('adds a stamp that others see in the trail book, and on the trail map once its owner allows it', async () => {
    const book = page.getByRole('region', { name: 'Trail book' });
    const stamps = book.getByRole('list', { name: 'Trail book' });
    await stamps.getByRole('link', { name: 'Count the bridges' }).waitFor();
    await book.getByText('1 stamp', { exact: true }).waitFor();
    await book.getByText('1-week streak').waitFor();
    const { page: otherPage, consoleErrors: otherErrors } = await site.browser.visitor({
      token: reader.token,
    });
    await otherPage.goto(`/users/${participant.me.id}`);
    await otherPage.getByRole('region', { name: 'Trail book' }).getByText('Count the bridges').waitFor();
    const mapOf = (book: Page) => book.getByRole('list', { name: 'Trail map' }).getByRole('link');
    expect(await mapOf(otherPage).count()).toBe(0);
    expect(await otherPage.getByLabel('Who can see my trail map').count()).toBe(0);
    await book.scrollIntoViewIfNeeded();
    await mapOf(page).waitFor();
    await eventually(async () => expect(await mapOf(page).allTextContents()).toEqual(['Count the bridges']));
    const saved = page.waitForResponse('**/api/trails/*/map');
    await page.getByLabel('Who can see my trail map').selectOption('Everyone who is logged in');
    await saved;
    await otherPage.reload();
    await pressKey(mapOf(otherPage));
    await otherPage.waitForURL(`**/challenges/${challengeId}`);
    expect(otherErrors).toEqual([]);
  });

  const logOf = (target: Page, name = 'Who has been here') =>
    target.getByRole('region', { name, exact: true });
  /** The log is loaded when it is scrolled into view. */
  const goToLog = (target: Page) => target.locator('#participants-title').scrollIntoViewIfNeeded();

  it('adds an entry to the challenge’s log, whose photo opens enlarged, and which can be reported', async () => {
    const { page: otherPage, consoleErrors: otherErrors } = await site.browser.visitor({
      token: reader.token,
    });
    await otherPage.goto(`/challenges/${challengeId}`);
    await goToLog(otherPage);
    const entry = logOf(otherPage).getByRole('listitem').filter({ hasText: 'walker' });
    await entry.getByText('Five bridges and a heron').waitFor();
    // The photo loads when it is near the visible area.
    await entry.scrollIntoViewIfNeeded();
    await pressKey(entry.getByRole('button', { name: 'Photo by walker' }));
    const photoDialog = otherPage.getByRole('dialog', { name: 'Photo by walker' });
    const widthOf = () => photoDialog.getByRole('img').evaluate((image) => image.clientWidth);
    await eventually(async () => expect(await widthOf()).toBeGreaterThan(600));
    await photoDialog.getByRole('button', { name: 'Close' }).click();
    await photoDialog.waitFor({ state: 'hidden' });
    await pressKey(entry.getByRole('button', { name: 'Report this note and photo' }));
    await otherPage.getByLabel('Insults, threats or hate').check();
    await button(otherPage, 'Send').click();
    await otherPage.getByText("Thank you. We'll review it.").waitFor();
    expect(await logOf(otherPage).getByRole('button', { name: 'Add a note or photo' }).count()).toBe(0);
    expect(otherErrors).toEqual([]);
  });

  it('says that a photo could not be read, and shows it after another try (52)', async () => {
    const { page: otherPage, consoleErrors: otherErrors } = await site.browser.visitor({
      token: reader.token,
    });
    await otherPage.addInitScript(() => {
      const { readAsDataURL } = FileReader.prototype;
      FileReader.prototype.readAsDataURL = function fail() {
        FileReader.prototype.readAsDataURL = readAsDataURL;
        this.dispatchEvent(new ProgressEvent('error'));
      };
    });
    await otherPage.goto(`/challenges/${challengeId}`);
    await goToLog(otherPage);
    const entry = logOf(otherPage).getByRole('listitem').filter({ hasText: 'walker' });
    await entry.scrollIntoViewIfNeeded();
    await entry.getByText("The photo couldn't be loaded.").waitFor();
    await pressKey(entry.getByRole('button', { name: 'Try again' }));
    await entry.getByRole('button', { name: 'Photo by walker' }).waitFor();
    expect(otherErrors).toEqual([]);
  });

  it('allows changing the note and removing the photo in the log, in the user’s language', async () => {
    const { page: chinese, consoleErrors: otherErrors } = await site.browser.visitor({
      locale: 'zh-CN',
      token: participant.token,
    });
    await chinese.goto(`/challenges/${challengeId}`);
    await goToLog(chinese);
    const log = logOf(chinese, '完成记录');
    const entry = log.getByRole('listitem').filter({ hasText: 'walker' });
    await entry.getByText('Five bridges and a heron').waitFor();
    await entry.scrollIntoViewIfNeeded();
    await entry.getByRole('button', { name: 'walker 的照片' }).waitFor();
    await pressKey(button(chinese, '修改你的留言和照片'));
    await log.getByLabel('留言（可不填）').fill('六座桥');
    await button(chinese, '移除照片').click();
    await button(chinese, '保存').click();
    await entry.getByText('六座桥').waitFor();
    expect(await entry.getByRole('img').count()).toBe(0);
    await chinese.reload();
    await goToLog(chinese);
    await entry.getByText('六座桥').waitFor();
    expect(await entry.getByRole('img').count()).toBe(0);
    expect(otherErrors).toEqual([]);
  });

  it('does not show the log to visitors, but a link to log in', async () => {
    const { page: visitor } = await site.browser.visitor();
    await visitor.goto(`/challenges/${challengeId}`);
    await goToLog(visitor);
    await logOf(visitor).getByText('Members see who completed it').waitFor();
    await logOf(visitor).getByRole('link', { name: 'Log in to see the log' }).click();
    await visitor.waitForURL('**/login');
  });

  it('has one place for where it is, and a line each for no participants and an empty log (53.33)', async () => {
    const { id } = await newChallenge(await newUser(site.network), {
      locationName: 'Kissena Park',
      streetAddress: '43-2 Kissena Boulevard',
      position: { lat: 40.7472, lng: -73.8075 },
    });
    const { page, consoleErrors } = await site.browser.visitor({ token: reader.token });
    await page.goto(`/challenges/${id}`);
    const place = page.getByRole('region', { name: 'Location' });
    await place.getByText('43-2 Kissena Boulevard').waitFor();
    await place.getByRole('link', { name: 'Directions' }).waitFor();
    await place.getByRole('link', { name: 'Show on the map' }).waitFor();
    await place.scrollIntoViewIfNeeded();
    await place.locator('canvas').waitFor();
    expect(await page.getByText('Kissena Park').count()).toBe(1);
    await goToLog(page);
    for (const text of ['No participants yet. Be the first.', 'No completions to show yet.']) {
      const line = page.getByText(text);
      await line.waitFor();
      expect((await line.locator('..').boundingBox())?.height).toBeLessThan(120);
    }
    expect(consoleErrors).toEqual([]);
  });

  it('shows an empty log, an error with a retry, and further pages of the log', async () => {
    const { id } = await newChallenge(await newUser(site.network));
    const { page: otherPage } = await site.browser.visitor({ token: reader.token });
    await otherPage.goto(`/challenges/${id}`);
    await goToLog(otherPage);
    await logOf(otherPage).getByText('No completions to show yet.').waitFor();
    for (let count = 0; count < 21; count += 1) await complete(await newUser(site.network), { id });
    await site.network.settle();
    await otherPage.route('**/log', (route) => route.abort());
    await otherPage.reload();
    await goToLog(otherPage);
    await logOf(otherPage).getByText("The log couldn't be loaded.").waitFor();
    await otherPage.unroute('**/log');
    await pressKey(logOf(otherPage).getByRole('button', { name: 'Try again' }));
    const entries = logOf(otherPage).getByRole('listitem');
    await eventually(async () => expect(await entries.count()).toBe(20));
    await pressKey(logOf(otherPage).getByRole('button', { name: 'Show more' }));
    await eventually(async () => expect(await entries.count()).toBe(21));
    expect(await logOf(otherPage).getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('shares a challenge’s URL by the device’s dialog, or else copies it to the clipboard', async () => {
    const { page: visitor, consoleErrors: visitorErrors } = await site.browser.visitor({
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
    for (const attempt of [1, 2]) {
      await button(visitor, 'Share').click();
      await visitor.locator(`body[data-shared="${attempt}"][data-last="Count the bridges ${url}"]`).waitFor();
    }
    // The effects of the responses have been rendered by now.
    await visitor.evaluate(() => new Promise(requestAnimationFrame));
    expect(await notice.count()).toBe(0);
    await button(visitor, 'Share').click();
    await notice.getByText(`Couldn't copy the link: ${url}`).waitFor();
    await visitor.evaluate(() => Object.assign(navigator, { share: undefined }));
    await button(visitor, 'Share').click();
    await notice.getByText('Link copied.').waitFor();
    expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(url);
    expect(visitorErrors).toEqual([]);
  });

  const completionOf = async ({ client }: TestUser, of: number) => {
    const [participation] = await client.listParticipations({
      query: { challengeId: of, userId: participant.me.id },
    });
    return participation?.id ?? 0;
  };

  it('cannot be left any more (53, finding 1)', async () => {
    await page.goto(`/challenges/${challengeId}`);
    await page.getByText("Completed. You've earned the points.").waitFor();
    expect(await button(page, 'Leave Challenge').count()).toBe(0);
  });

  it('deletes a note and a photo together, and restores both by Undo (53, finding 1)', async () => {
    const { id: other } = await newChallenge(reader, { name: 'Read the sundial' });
    await complete(participant, { id: other });
    const id = await completionOf(participant, other);
    const params = { id };
    await participant.client.updateNote({ params, body: { note: 'Half past noon' } });
    const photo = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#336' } })
      .png()
      .toBuffer();
    await participant.client.updatePhoto({
      params,
      body: new Blob([new Uint8Array(photo)], { type: 'image/png' }),
    });
    await page.goto(`/challenges/${other}`);
    await goToLog(page);
    await pressKey(button(page, 'Delete your note and photo'));
    await page.getByText('Your note and photo are deleted.').waitFor();
    await eventually(async () => {
      expect(await participant.client.getLogEntry({ params })).toMatchObject({ note: '', photo: null });
    });
    await pressKey(button(page, 'Undo'));
    await eventually(async () => {
      const restored = await participant.client.getLogEntry({ params });
      expect(restored).toMatchObject({ note: 'Half past noon', photo: expect.any(String) });
    });
  });

  it.each([
    ['Save and continue', () => button(page, 'Save and continue').click()],
    ['Escape', () => page.keyboard.press('Escape')],
  ])('keeps what was typed when %s closes the dialog (53, finding 2)', async (how, close) => {
    const { id: other } = await newChallenge(reader, { name: `Climb the tower, ${how}` });
    await page.goto(`/challenges/${other}`);
    await button(page, 'Join Challenge!').click();
    await pressKey(button(page, 'Mark as Complete'));
    await button(page, 'Add a note or photo').click();
    await dialog().getByLabel('Note (optional)').fill('Two hundred steps');
    await close();
    await dialog().waitFor({ state: 'hidden' });
    await eventually(async () => {
      const [entry] = await reader.client.listLog({ params: { id: other } });
      expect(entry?.note).toBe('Two hundred steps');
    });
  });

  it('a second time, after an admin removed the first, says that it earned no further points', async () => {
    const admin = site.network.client(site.network.signToken({ sub: '900003', admin: true }));
    await admin.leaveChallenge({ params: { id: await completionOf(reader, challengeId) } });
    await joinAndComplete();
    await dialog().getByText("You've already earned these points.").waitFor();
    await dialog().getByText('Still rank 1').waitFor();
    await button(page, 'Continue').click();
    await page.getByText("Completed! You've already earned these points.").waitFor();
  });

  it('beyond the limit for own challenges says in the user’s language why it earned no points', async () => {
    const creator = await newUser(site.network);
    const own = () => newChallenge(creator);
    for (let count = 0; count < 3; count += 1) await complete(creator, await own());
    const { page: chinese, consoleErrors: otherErrors } = await site.browser.visitor({
      locale: 'zh-CN',
      token: creator.token,
    });
    await site.network.settle();
    await chinese.goto(`/challenges/${(await own()).id}`);
    await button(chinese, '加入挑战！').click();
    await pressKey(button(chinese, '标记为完成'));
    const reason = '这次没有积分：你自己发起的挑战今天能得的积分已经得满了。';
    await chinese.getByRole('dialog', { name: '完成了！' }).getByText(reason).waitFor();
    await chinese.keyboard.press('Escape');
    await chinese.getByRole('status').getByText(reason).waitFor();
    expect(otherErrors).toEqual([]);
  });

  it('shows no dialog if the points cannot be loaded', async () => {
    const otherPage = await newChallenge(await newUser(site.network));
    challengeId = otherPage.id;
    await page.route('**/api/points/', (route) => route.abort());
    await joinAndComplete();
    await page.getByText('Your points are on their way.').waitFor();
    expect(await dialog().isVisible()).toBe(false);
  });
});
