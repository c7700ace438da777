import { complete, describeWith, eventually, newChallenge, newUser } from '@wayquest/testing';
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
