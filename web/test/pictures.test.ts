import { complete, describeWith, eventually, newChallenge, newPicture, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { useSite } from './support/start-site.ts';

interface Picture {
  width?: number;
  height?: number;
  background?: string | { r: number; g: number; b: number; alpha: number };
  name?: string;
}

/** A picture that is not small enough to be sent as it is. */
async function renderPicture({
  width = 2_000,
  height = 1_500,
  background = '#6aa08a',
  name = 'a.png',
}: Picture = {}) {
  const channels = 4;
  const picture = sharp({ create: { width, height, channels, background } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

(await describeWith('chromium'))('choosing a picture', () => {
  const site = useSite();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const chosen = (page: Page) => page.getByAltText('The photo you chose');
  const saved = (page: Page) => page.getByText("Saved. It's in the challenge's log.");
  const input = (page: Page) => page.locator('input[type="file"]');

  /** Opens the form for the note and photo of a completed challenge. */
  async function openEntry() {
    const user = await newUser(site.network);
    const challenge = await newChallenge(user);
    await complete(user, challenge);
    const { page } = await site.visit(`/challenges/${challenge.id}`, { token: user.token });
    await button(page, 'Add a note or photo').click();
    const storedPhoto = async () => {
      const [{ id, photo } = { id: 0, photo: null }] = await user.client.listLog({
        params: { id: challenge.id },
      });
      const file = photo && (await user.client.getPhoto({ params: { id, photo } }));
      return file ? sharp(await file.arrayBuffer()) : undefined;
    };
    return { page, storedPhoto };
  }

  /** Makes decoding of the first picture wait for `decode`, as a large one on a slow phone. */
  const delayFirstPicture = (page: Page) =>
    page.evaluate(() => {
      const { createImageBitmap: create } = window;
      const waits = new Promise((resolve) => Object.assign(window, { decode: resolve }));
      let count = 0;
      Object.assign(window, {
        createImageBitmap: async (...args: Parameters<typeof create>) => {
          count += 1;
          if (count === 1) await waits;
          return create(...args);
        },
      });
    });
  const decode = (page: Page) => page.evaluate('decode()');

  it('is waited for by Save, while it is being made smaller (Q4)', async () => {
    const { page, storedPhoto } = await openEntry();
    await delayFirstPicture(page);
    await input(page).setInputFiles(await renderPicture());
    await page.locator('[name="note"]').fill('Windy up there');
    await button(page, 'Save').click();
    await decode(page);
    await saved(page).waitFor();
    expect(await (await storedPhoto())?.metadata()).toMatchObject({ width: 1_280 });
  });

  it('counts as chosen last, although an earlier one takes longer (Q4)', async () => {
    const { page, storedPhoto } = await openEntry();
    await delayFirstPicture(page);
    await input(page).setInputFiles(await renderPicture({ name: 'big.png' }));
    await input(page).setInputFiles(await renderPicture({ width: 1_000, height: 500, name: 'small.png' }));
    await chosen(page).waitFor();
    await decode(page);
    await button(page, 'Save').click();
    await saved(page).waitFor();
    expect(await (await storedPhoto())?.metadata()).toMatchObject({ width: 1_000 });
  });

  it('is possible again for the same file, after it was removed (Q14)', async () => {
    const { page } = await openEntry();
    const picture = await renderPicture();
    // As the browser's dialog does: it reports no change if the same file is chosen.
    const isEmpty = () => input(page).evaluate((element) => (element as HTMLInputElement).value === '');
    await input(page).setInputFiles(picture);
    await chosen(page).waitFor();
    expect(await isEmpty()).toBe(true);
    await button(page, 'Remove photo').click();
    await chosen(page).waitFor({ state: 'detached' });
    await input(page).setInputFiles(picture);
    await chosen(page).waitFor();
  });

  it('is possible again for the same profile picture, after it could not be sent (Q14)', async () => {
    const user = await newUser(site.network);
    const { page } = await site.visit('/profile', { token: user.token });
    const picture = await renderPicture();
    await page.route('**/auth/me/picture', (route) => route.fulfill({ status: 502, body: '' }));
    await input(page).setInputFiles(picture);
    await page.getByText('Wayquest is temporarily unavailable.').waitFor();
    await page.unrouteAll();
    await eventually(() => input(page).evaluate((element) => (element as HTMLInputElement).value === ''));
    await input(page).setInputFiles(picture);
    await page.getByText('Profile picture updated.').waitFor();
  });

  it('with transparency stays light (Q19)', async () => {
    const { page, storedPhoto } = await openEntry();
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    await input(page).setInputFiles(await renderPicture({ width: 2_000, height: 2_000, background }));
    await chosen(page).waitFor();
    await button(page, 'Save').click();
    await saved(page).waitFor();
    const { channels } = (await (await storedPhoto())?.stats()) ?? {};
    expect(channels?.slice(0, 3).map(({ mean }) => Math.round(mean))).toEqual([255, 255, 255]);
  });

  it('that is a panorama saves it (Y3)', async () => {
    const { page, storedPhoto } = await openEntry();
    await input(page).setInputFiles(await renderPicture({ width: 12_000, height: 550 }));
    await chosen(page).waitFor();
    await button(page, 'Save').click();
    await saved(page).waitFor();
    expect(await (await storedPhoto())?.metadata()).toMatchObject({ width: 1_280 });
  });

  it('that is too narrow says so (Y3)', async () => {
    const { page } = await openEntry();
    await input(page).setInputFiles(await renderPicture({ width: 12_000, height: 100 }));
    await page.getByText('That picture is too narrow.').waitFor();
    await input(page).setInputFiles(await renderPicture({ width: 1_000, height: 40 }));
    await page.getByText('That picture is too narrow.').waitFor();
  });
});

(await describeWith('chromium'))('the picture of a challenge (53, finding 17)', () => {
  const site = useSite();
  const photoOf = (page: Page, name: string) => page.getByAltText(`Photo from “${name}”`);

  /** A challenge with a photo of each of two people, the newest of the second. */
  async function pictured(name: string) {
    const [owner, walker] = [await newUser(site.network), await newUser(site.network)];
    const challenge = await newChallenge(owner, { name });
    for (const [nth, user] of [owner, walker].entries()) {
      await complete(user, challenge);
      const [participation] = await user.client.listParticipations();
      const params = { id: participation?.id ?? 0 };
      await user.client.updatePhoto({ params, body: newPicture(0x40 * (nth + 1)) });
    }
    await site.network.settle();
    return { owner, walker, challenge };
  }
  const photoNameIn = async (page: Page, name: string) =>
    /pictures\/(\w+)/.exec((await photoOf(page, name).getAttribute('src')) ?? '')?.[1];

  it('is a photo on its card and page, also for visitors, with a size that moves nothing, and a drawing if it cannot be loaded', async () => {
    const { challenge } = await pictured('Bridge in the fog');
    const { page } = await site.visit('/challenges');
    const card = photoOf(page, challenge.name);
    await card.waitFor();
    await eventually(async () =>
      expect(await card.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640),
    );
    expect(
      await card.evaluate((image: HTMLImageElement) => [image.loading, image.width > 0, image.height > 0]),
    ).toEqual(['lazy', true, true]);
    await page.goto(`${site.network.url}/challenges/${challenge.id}`);
    await photoOf(page, challenge.name).waitFor();

    await page.route('**/pictures/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: challenge.name }).waitFor();
    await page.locator('article svg[data-place-category]').first().waitFor();
    expect(await photoOf(page, challenge.name).count()).toBe(0);
  });

  it('is chosen by its creator in the log: another photo, the drawing, or the newest; and others have no choice', async () => {
    const { owner, walker, challenge } = await pictured('Steps to the river');
    const { page } = await site.visit(`/challenges/${challenge.id}`, { token: owner.token });
    const newest = await photoNameIn(page, challenge.name);
    const choice = page.getByRole('group', { name: "The challenge's picture:" });
    await page.getByRole('button', { name: 'Use as the picture' }).click();
    await choice.getByRole('button', { name: 'Chosen photo', pressed: true }).waitFor();
    await eventually(async () => expect(await photoNameIn(page, challenge.name)).not.toBe(newest));
    await choice.getByRole('button', { name: 'Drawing' }).click();
    await photoOf(page, challenge.name).waitFor({ state: 'detached' });
    await choice.getByRole('button', { name: 'Newest photo' }).click();
    await photoOf(page, challenge.name).waitFor();
    expect(await photoNameIn(page, challenge.name)).toBe(newest);

    const other = await site.visit(`/challenges/${challenge.id}`, { token: walker.token });
    await other.page.getByRole('button', { name: `Photo by ${owner.username}` }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Use as the picture' }).count()).toBe(0);
    expect(await other.page.getByRole('group', { name: "The challenge's picture:" }).count()).toBe(0);
  });
});
