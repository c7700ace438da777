import { describeWith, eventually, newChallenge, pressKey } from '@wayquest/testing';
import type { Locator, Page } from 'playwright-core';
import { findBarriers } from './screens/checks.ts';
import {
  boxOf,
  button,
  fillForm,
  handle,
  list,
  map,
  type OpenMapFixture,
  phone,
  sheet,
  startOpenMap,
  waitForSnapPoint,
} from './support/open-map.ts';

/** Drags the sheet's handle up by touch, slowly. */
async function dragSheet(page: Page, up: number) {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height } = await boxOf(handle(page));
  const [positionOf, from] = [x + width / 2, y + height / 2];
  let timestamp = Date.now() / 1_000;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) => {
    timestamp += 0.2;
    const touchPoints = at === undefined ? [] : [{ x: positionOf, y: at }];
    return session.send('Input.dispatchTouchEvent', { type, timestamp, touchPoints });
  };
  await touch('touchStart', from);
  for (let step = 1; step <= 8; step++) await touch('touchMove', from - (up * step) / 8);
  await touch('touchEnd');
}

const [water, land] = [
  [0xbc, 0xd9, 0xe6],
  [0xf6, 0xf0, 0xe4],
];

/** Returns the color in the center of the map, or a number of pixels below it. */
const colorAt = (page: Page, below = 0) =>
  map(page).evaluate((frame, below) => {
    const { x, y, width, height } = frame.getBoundingClientRect();
    const [positionOf, down] = [x + width / 2, y + height / 2 + below];
    const color = [...frame.querySelectorAll('canvas.leaflet-tile-loaded')].flatMap((tile) => {
      const box = tile.getBoundingClientRect();
      const [left, top] = [positionOf - box.x, down - box.y];
      const isUnder = left >= 0 && left < 256 && top >= 0 && top < 256;
      const context = document.createElement('canvas').getContext('2d');
      if (!context || !isUnder || !(tile instanceof HTMLCanvasElement)) return [];
      context.drawImage(tile, -left, -top);
      return [[...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]];
    });
    return color[0];
  }, below);

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

(await describeWith('chromium'))('the open map, without access to other hosts', () => {
  let fixture: OpenMapFixture;
  beforeAll(async () => {
    fixture = await startOpenMap();
  });
  afterAll(() => fixture?.stop());

  it('draws land and water if tiles cannot be loaded, in a map of 90vw by 90vh with visible controls', async () => {
    const { page, consoleErrors } = await fixture.visit('/');
    await page.getByRole('link', { name: 'Start Exploring' }).click();
    await page.getByRole('heading', { name: 'Explore Map: Find and create challenges near you.' }).waitFor();
    await eventually(async () => {
      const found = await page.locator('canvas.leaflet-tile-loaded').evaluateAll((tiles) =>
        tiles.map((tile) => {
          if (!(tile instanceof HTMLCanvasElement)) return 0;
          const copy = document.createElement('canvas').getContext('2d');
          copy?.drawImage(tile, 0, 0);
          const { data = [] } = copy?.getImageData(0, 0, 256, 150) ?? {};
          const seen = new Set<string>();
          for (let at = 0; at < data.length; at += 400) seen.add(data.slice(at, at + 3).join());
          return seen.size;
        }),
      );
      expect(Math.max(...found)).toBeGreaterThan(1);
    });
    await eventually(async () => {
      const box = await map(page).boundingBox();
      expect([box?.width, box?.height].map((side) => Math.round(side ?? 0))).toEqual([1152, 810]);
    });
    await page.getByText("Street map unavailable: can't reach the map server | Natural Earth").waitFor();
    await page.locator('.leaflet-control-scale').waitFor();
    // Neither covered by the list nor outside the window.
    const isSeen = (what: string) =>
      page.locator(what).evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const last = document.elementFromPoint(x + width / 2, y + height - 4);
        const list = document.querySelector('#results')?.parentElement?.getBoundingClientRect();
        return (
          y + height <= innerHeight && x > (list?.right ?? 0) && last?.closest('.leaflet-container') !== null
        );
      });
    for (const what of ['.leaflet-control-scale', '.leaflet-control-attribution', '.leaflet-control-zoom'])
      await eventually(async () => expect([what, await isSeen(what)]).toEqual([what, true]));
    await page.getByText('Whitestone', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([expect.stringContaining('ERR_UNSAFE_PORT')]);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText('街道地图无法显示：连不上地图服务器 | Natural Earth').waitFor();
  });

  it('is land until it is drawn, and its pins cover no names, whose credit is a line on a phone (53.37)', async () => {
    const { page } = await fixture.visit('/explore', phone);
    const waitForNames = () => page.locator('.leaflet-marker-pane [data-kind="town"]').first().waitFor();
    await waitForNames();
    expect(await map(page).evaluate((frame) => getComputedStyle(frame).backgroundColor)).toBe(
      `rgb(${land?.join(', ')})`,
    );
    const credit = page.locator('.leaflet-control-attribution');
    await credit.getByRole('link', { name: 'GeoNames' }).waitFor();
    await credit.getByRole('link', { name: 'OpenStreetMap' }).waitFor();
    expect((await credit.boundingBox())?.height).toBeLessThan(32);

    const [town] = await fixture.network.client().listTowns({ query: { bbox: '-73.85,42.6,-73.7,42.7' } });
    await newChallenge(fixture.creator, { position: town?.position });
    await fixture.network.settle();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/explore?at=${town?.position.lat},${town?.position.lng}&zoom=12`);
    const pane = page.locator('.leaflet-marker-pane');
    await pane.getByRole('button').waitFor();
    await eventually(async () => {
      const [pin, name] = [
        await boxOf(pane.getByRole('button')),
        await boxOf(pane.getByText(town?.name ?? '', { exact: true })),
      ];
      expect(name.bottom <= pin.y || name.y >= pin.bottom).toBe(true);
    });
  });

  it('draws water between both sides of a country that crosses the antimeridian', async () => {
    const { page } = await fixture.visit('/explore?at=67,2&zoom=3');
    // The Norwegian Sea is in the center.
    await eventually(async () => expect(await colorAt(page)).toEqual(water));
  });

  it('draws a city’s bays, town names sized by population, and icons of places', async () => {
    // Flushing Bay is in the center; Corona is four kilometers further south.
    const { page } = await fixture.visit('/explore?at=40.7765,-73.861&zoom=13');
    await eventually(async () => expect(await colorAt(page)).toEqual(water));
    await eventually(async () => expect(await colorAt(page, 257)).toEqual(land));
    const museums = page.locator('.leaflet-marker-pane [data-kind="place"][data-type="museum"] path');
    await museums.first().waitFor({ state: 'attached' });
    expect(await museums.first().getAttribute('d')).not.toBe('');
    const fontOf = async (town: string) => {
      const name = page.locator('.leaflet-marker-pane').getByText(town, { exact: true });
      return Number.parseFloat(await name.evaluate((word) => getComputedStyle(word).fontSize));
    };
    await button(page, 'Zoom out').click();
    await museums.first().waitFor({ state: 'detached' });
    await eventually(async () => {
      const [queens, astoria] = [await fontOf('Queens'), await fontOf('Astoria')];
      expect(queens).toBeGreaterThan(astoria);
      expect(astoria).toBeGreaterThan(await fontOf('Whitestone'));
    });
  });

  it('draws a coarser coast if the detailed water cannot be loaded', async () => {
    const { page } = await fixture.browser.visitor();
    await page.route('**/assets/water-*/**', (route) => route.abort());
    // The sea off Long Island is in the center; Connecticut is a hundred kilometers further north.
    await page.goto('/explore?at=40.65,-72.9&zoom=9');
    await eventually(async () => expect(await colorAt(page)).toEqual(water));
    await eventually(async () => expect(await colorAt(page, -330)).toEqual(land));
  });

  it('changes its colors with the color scheme', async () => {
    const { page } = await fixture.visit('/explore');
    /** Returns the red component in the corner of the darkest tile. */
    const darkestRed = () =>
      page.locator('canvas.leaflet-tile-loaded').evaluateAll((tiles) => {
        const context = document.createElement('canvas').getContext('2d');
        const reds = tiles.map((tile) => {
          if (tile instanceof HTMLCanvasElement) context?.drawImage(tile, 0, 0);
          return context?.getImageData(1, 1, 1, 1).data[0] ?? 0;
        });
        return Math.min(...reds);
      });
    const expectRedBetween = (min: number, max: number) =>
      eventually(async () => {
        const red = await darkestRed();
        expect(red).toBeGreaterThan(min);
        expect(red).toBeLessThan(max);
      });
    await expectRedBetween(100, 256);
    await button(page, 'Switch to dark theme').click();
    await expectRedBetween(20, 50);
  });

  it('ignores a filter for logged-in users in a visitor’s URL, and says that a challenge was deleted', async () => {
    const { page } = await fixture.visit('/explore?joined=1&challenge=999999');
    await page.getByText('That challenge no longer exists.').waitFor();
    await list(page).getByText('Find the carousel').waitFor();
    await page.waitForURL((url) => !url.searchParams.has('challenge'));
  });

  it('zooms into a selected cluster', async () => {
    const { page } = await fixture.visit('/explore?zoom=6');
    await pressKey(button(page, /challenges here\. Zoom in/).first());
    await page.waitForURL((url) => Number(url.searchParams.get('zoom')) > 6);
  });

  it('shows a selected challenge outside its cluster, with its window over its pin', async () => {
    const { page } = await fixture.visit('/explore?zoom=6');
    const pins = page.locator('.leaflet-marker-pane');
    await pins.getByRole('button', { name: '2 challenges here' }).waitFor();
    await list(page).getByText('Find the carousel').click();
    await page.getByRole('dialog', { name: 'Find the carousel' }).waitFor();
    await pins.getByRole('button', { name: /^Find the carousel/ }).waitFor();
    await pins.getByRole('button', { name: '2 challenges here' }).waitFor({ state: 'detached' });
  });

  it('shows pins and opens windows on both sides of the date line, also after moving across it', async () => {
    const sides = { 'Greet the last day': 179.8, 'Greet the first day': -179.8 };
    for (const [name, lng] of Object.entries(sides))
      await newChallenge(fixture.creator, { name, position: { lat: -16.8, lng } });
    const { page } = await fixture.visit('/explore?at=-16.8,179.9&zoom=9');
    const pin = (name: string) => page.locator('.leaflet-marker-pane').getByRole('button', { name });
    /** Returns the position of a pin in pixels from the left edge of the map. */
    const positionOf = async (name: string) => {
      const [frame, box] = await Promise.all([map(page).boundingBox(), pin(name).boundingBox()]);
      return frame && box ? box.x + box.width / 2 - frame.x : Number.NaN;
    };
    /** A degree is 364 pixels wide at this zoom. */
    const expectPositions = (last: number) =>
      eventually(async () => {
        expect(await positionOf('Greet the last day')).toBeCloseTo(last, -1);
        expect(await positionOf('Greet the first day')).toBeCloseTo(last + 0.4 * 364, -1);
      });
    await expectPositions(576 - 0.1 * 364);
    await page.getByText('2 challenges here').waitFor();

    await map(page).focus();
    // Keys are ignored while the map moves; the URL shows where it has stopped.
    for (const [moved, rest] of [
      [80, /at=-16\.\d+%2C-179\.8/],
      [160, /at=-16\.\d+%2C-179\.6/],
    ] as const) {
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(rest);
      await expectPositions(576 - 0.1 * 364 - moved);
    }
    await page.reload();
    await expectPositions(576 - 0.1 * 364 - 160);
    await page.getByText('2 challenges here').waitFor();
    await pressKey(pin('Greet the last day'));
    await page.getByRole('dialog', { name: 'Greet the last day' }).getByText('Ongoing').waitFor();
    await eventually(async () => {
      const window = await page.getByRole('dialog', { name: 'Greet the last day' }).boundingBox();
      expect(window?.x).toBeGreaterThan(0);
      expect(window?.x).toBeLessThan(1152);
    });
  });

  it('shows tiles with their attribution if they can be loaded', async () => {
    const { page } = await fixture.browser.visitor(phone);
    const tile = await page.context().newPage();
    const body = await tile.screenshot({ clip: { x: 0, y: 0, width: 256, height: 256 } });
    await tile.close();
    await page.route('http://127.0.0.1:1/**', (route) => route.fulfill({ contentType: 'image/png', body }));
    await page.goto('/explore');
    await page.locator('img.leaflet-tile-loaded').first().waitFor();
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor();
    expect(await page.locator('canvas.leaflet-tile').count()).toBe(0);
  });

  it('fills the space between the bars, with search and filters at the top and controls within a thumb’s reach', async () => {
    const { page } = await fixture.visit('/explore?type=museum&at=40.7459,-73.8467&zoom=15', phone);
    await page.getByText('1 challenge here').waitFor();
    await eventually(async () => {
      const [header, bar, frame, sheetBox] = await Promise.all(
        [page.locator('header'), page.getByRole('navigation').last(), map(page), sheet(page)].map(boxOf),
      );
      if (!header || !bar || !frame || !sheetBox) throw new Error('something is missing');
      expect([frame.x, frame.width, sheetBox.width]).toEqual([0, 390, 390]);
      expect(frame.y - header.bottom).toBeLessThan(40);
      expect([Math.round(sheetBox.bottom), Math.round(frame.bottom)]).toEqual([
        Math.round(bar.y),
        Math.round(sheetBox.y),
      ]);
      for (const name of ['Zoom in', 'Zoom out', 'Near me']) {
        const { x, y, width, height, bottom } = await boxOf(page.getByRole('button', { name, exact: true }));
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
        expect(x).toBeGreaterThan(300);
        expect(y).toBeGreaterThan(422);
        expect(bottom).toBeLessThan(sheetBox.y);
      }
    });
    await page.getByRole('heading', { name: 'Explore Map: Find and create challenges near you.' }).waitFor();
    await page.getByPlaceholder('Enter an address').waitFor();
    // The filters are in a sheet, behind one chip with their number (53, finding 24).
    await button(page, /^Filter \(1\)/).tap();
    const filterSheet = page.getByRole('dialog', { name: 'Filter' });
    expect(await filterSheet.getByLabel('Show Locations by Type').inputValue()).toBe('museum');
    await filterSheet.locator('[name="difficulty"]').selectOption('Hard');
    await filterSheet.getByRole('button', { name: 'Open now' }).tap();
    expect(await findBarriers(page)).toEqual([]);
    await filterSheet.getByRole('button', { name: 'Show challenges' }).tap();
    await filterSheet.waitFor({ state: 'hidden' });
    await button(page, /^Filter \(3\)/).waitFor();
    await page.getByText('No challenges here match your filters.').waitFor();
    await button(page, 'Clear filters').tap();
    await page.getByText('1 challenge here').waitFor();
    await eventually(async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390),
    );
  });

  it('has a sheet that can be dragged up and down', async () => {
    const { page } = await fixture.visit('/explore', phone);
    await page.getByText('2 challenges here').waitFor();
    await waitForSnapPoint(page, 'peek');
    await dragSheet(page, 40);
    await waitForSnapPoint(page, 'peek');
    await dragSheet(page, 280);
    await waitForSnapPoint(page, 'half');
    await eventually(async () => expect(await handle(page).getAttribute('aria-expanded')).toBe('true'));
    await dragSheet(page, 250);
    await waitForSnapPoint(page, 'full');
    // The sheet never covers the search and the filters.
    await eventually(async () => {
      const chips = await boxOf(button(page, /^Filter/));
      expect((await boxOf(sheet(page))).y).toBeGreaterThanOrEqual(chips.bottom);
    });
    await dragSheet(page, -600);
    await waitForSnapPoint(page, 'peek');
    await handle(page).tap();
    await waitForSnapPoint(page, 'half');
    // Its heading works like its handle.
    await page.getByText('2 challenges here').tap();
    await waitForSnapPoint(page, 'full');
    await page.getByText('2 challenges here').tap();
    await waitForSnapPoint(page, 'peek');
    await page.getByText('2 challenges here').tap();
    await waitForSnapPoint(page, 'half');
    // The page below it cannot be scrolled.
    expect(
      await page.evaluate(() => document.documentElement.scrollHeight - innerHeight),
    ).toBeLessThanOrEqual(0);
    await list(page)
      .getByRole('button', { name: /Find the carousel/ })
      .tap();
    await page.getByRole('dialog', { name: 'Find the carousel' }).getByText('Ongoing').waitFor();
    await button(page, 'Close').tap();
    await list(page).waitFor();
    await waitForSnapPoint(page, 'half');
  });

  it('has a sheet that can be moved by keyboard, and never covers the focused element', async () => {
    const { page } = await fixture.visit('/explore', phone);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByText('2 challenges here').waitFor();
    expect(await sheet(page).evaluate((one) => getComputedStyle(one).transitionDuration)).toBe('0s');
    await pressKey(handle(page), 'ArrowUp');
    await waitForSnapPoint(page, 'half');
    await pressKey(handle(page));
    await waitForSnapPoint(page, 'full');
    await pressKey(handle(page), 'ArrowDown');
    await waitForSnapPoint(page, 'half');
    await page.keyboard.press('Tab');
    const first = list(page).getByRole('button').first();
    await eventually(() => isFocused(first));
    await page.keyboard.press('Escape');
    await waitForSnapPoint(page, 'peek');
    await eventually(() => isFocused(handle(page)));
    await page.keyboard.press('Tab');
    await waitForSnapPoint(page, 'half');
    await eventually(() => isFocused(first));
    await page.getByRole('button', { name: 'Zoom in', exact: true }).focus();
    await waitForSnapPoint(page, 'peek');

    // Delays effects, which a busy browser runs long after rendering.
    await page.evaluate(() => {
      const post: (message: unknown) => void = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function postLater(message: unknown) {
        let frames = 4;
        const wait = () => {
          frames -= 1;
          if (frames < 0) post.call(this, message);
          else requestAnimationFrame(wait);
        };
        wait();
      };
    });
    await pressKey(first);
    await eventually(() => isFocused(page.getByRole('dialog')));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => isFocused(first));
  });

  it('filters list and map alike, and restores the filters from the URL', async () => {
    const { page } = await fixture.visit('/explore');
    await list(page).getByText('Count the planes').waitFor();
    await button(page, /^Open now$/).click();
    await list(page).getByText('Count the planes').waitFor({ state: 'detached' });
    await page.locator('fieldset [name="difficulty"]').selectOption('Easy');
    await page.getByLabel('Name, place or city').fill('carousel');
    await page.getByText('1 challenge here').waitFor();
    await list(page).getByText('Find the carousel').waitFor();
    await page.waitForURL(/difficulty=Easy.*open=1.*search=carousel/);

    const other = await fixture.visit(new URL(page.url()).search.replace(/^/, '/explore'));
    await list(other.page).getByText('Find the carousel').waitFor();
    await other.page.getByText('1 challenge here').waitFor();
    await eventually(async () =>
      expect(await other.page.getByLabel('Name, place or city').inputValue()).toBe('carousel'),
    );
  });

  it('goes to a search result, shows the places of a type, and opens their windows by keyboard', async () => {
    const { page } = await fixture.visit('/explore');
    await page.getByPlaceholder('Enter an address').fill('queens museum');
    await page.getByRole('option', { name: /Queens Museum/ }).click();
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    const pin = page.locator('.leaflet-marker-pane').getByRole('button', { name: 'Queens Museum' });
    await pin.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Show Locations by Type').selectOption('museum');
    await pressKey(pin);
    const window = page.getByRole('dialog', { name: 'Queens Museum' });
    await window
      .getByText(/Corona|Flushing/)
      .first()
      .waitFor();
    await fillForm(page, 'Find your street in the panorama');
    await eventually(() => button(page, 'Create Challenge').isEnabled());
  });

  it('does not move at Enter if not all words match, and offers partial matches', async () => {
    const { page } = await fixture.visit('/explore');
    const box = page.getByPlaceholder('Enter an address');
    await box.fill('221B Baker Street London');
    await pressKey(box);
    await page.getByText('No match for that.').waitFor();
    await page.getByText('Did you mean one of these?').waitFor();
    expect(new URL(page.url()).search).toMatch(/^$|^\?at=40\.76%2C-73\.8\d*&zoom=12$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page
      .getByRole('option', { name: /London/ })
      .first()
      .click();
    // The window of a town is small until a challenge is to be created there (53, finding 22).
    const town = page.getByRole('dialog', { name: /London/ });
    await town.getByRole('button', { name: 'Set as Map Center' }).waitFor();
    expect(await town.getByRole('form').count()).toBe(0);
    await pressKey(town.getByRole('button', { name: 'Create a Challenge here' }));
    const window = page.getByRole('dialog', { name: 'Create a Challenge' });
    const name = window.getByLabel('Challenge Name');
    await eventually(() => name.evaluate((element) => element === document.activeElement));
    // Closing it returns the focus to the field, without its suggestions (53, finding 21).
    await window.getByRole('button', { name: 'Close' }).click();
    await window.waitFor({ state: 'detached' });
    await eventually(() => box.evaluate((element) => element === document.activeElement));
    expect(await page.getByRole('option').filter({ visible: true }).count()).toBe(0);
    await page.getByText('No match for that.').waitFor({ state: 'detached' });
  });

  it('leaves the list visible on a phone below a town that was searched for (53, finding 22)', async () => {
    const { page } = await fixture.visit('/explore', phone);
    await page.getByPlaceholder('Enter an address').fill('Whitestone');
    await page
      .getByRole('option', { name: /^Whitestone/ })
      .first()
      .click();
    const town = page.getByRole('dialog', { name: /Whitestone/ });
    const create = town.getByRole('button', { name: 'Create a Challenge here' });
    await create.waitFor();
    const list = page.getByRole('region', { name: 'Challenges in this area' });
    await eventually(async () => {
      const { y } = await boxOf(list);
      expect(y).toBeGreaterThanOrEqual((await boxOf(town)).bottom);
      expect(y).toBeLessThan(phone.viewport.height - 60);
    });
    await pressKey(create);
    await page.getByRole('dialog', { name: 'Create a Challenge' }).getByLabel('Challenge Name').waitFor();
    await list.waitFor({ state: 'hidden' });
  });

  it('selects the first match at Enter, also if it arrives later, and says that there is none', async () => {
    const { page } = await fixture.visit('/explore');
    const box = page.getByPlaceholder('Enter an address');
    const nearMe = button(page, 'Near me');
    const { y } = await boxOf(nearMe);
    expect([y, y + 44]).toEqual([expect.closeTo((await boxOf(box)).y, 0), (await boxOf(nearMe)).bottom]);
    await box.fill('asdfqw');
    await page.getByText('No results.').waitFor();
    expect((await boxOf(nearMe)).y).toBe(y);
    await box.fill('queens museum');
    await pressKey(box);
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor();
    await box.fill('Bayside');
    await page
      .getByRole('option', { name: /Bayside/ })
      .first()
      .waitFor();
    await pressKey(box);
    await page.getByRole('dialog', { name: 'Queens Museum' }).waitFor({ state: 'detached' });
    await page
      .getByRole('dialog')
      .getByText(/Bayside/)
      .first()
      .waitFor();
  });

  it('allows keyboard users to skip the list', async () => {
    const { page } = await fixture.visit('/explore');
    await list(page).getByText('Find the carousel').waitFor();
    await pressKey(button(page, 'Skip to the map'));
    const region = page.getByRole('region', { name: 'Map', exact: true });
    await eventually(() => region.evaluate((element) => element === document.activeElement));
    await page.keyboard.press('Tab');
    await eventually(() => region.evaluate((element) => element.contains(document.activeElement)));
  });

  it('says that no challenge matches the filters, and clears them', async () => {
    const { page } = await fixture.visit('/explore?search=zzzz&open=1');
    await page.getByText('No challenges here match your filters.').waitFor();
    await button(page, 'Clear filters').click();
    await list(page).getByText('Count the planes').waitFor();
    await eventually(async () => expect(await page.getByLabel('Name, place or city').inputValue()).toBe(''));
  });

  it('lists what the map shows wherever the user moves it (53, finding 23)', async () => {
    const { page } = await fixture.visit('/explore');
    await list(page).waitFor();
    // With reduced motion, as here, the map has no inertia after a drag.
    for (let drag = 0; drag < 2; drag += 1) {
      await page.mouse.move(1100, 600);
      await page.mouse.down();
      await page.mouse.move(300, 500, { steps: 5 });
      await page.mouse.up();
    }
    await page.waitForURL(/at=[\d.]+%2C-7(3\.[0-4]|[0-2]\.)/);
    // There are towns, so there is something to suggest instead.
    await page.getByRole('region', { name: 'Suggested around here' }).waitFor();
    await list(page).waitFor({ state: 'detached' });
  });

  it('requests the position when “Near me” is pressed, and moves there if it is allowed', async () => {
    const denied = await fixture.visit('/explore');
    await list(denied.page).waitFor();
    await button(denied.page, 'Near me').click();
    const blocked = denied.page.getByText('Location access is blocked. Search for an address instead.');
    await blocked.waitFor();
    await denied.page.getByRole('link', { name: 'Leaderboard', exact: true }).first().click();
    await blocked.waitFor({ state: 'detached' });

    const allowed = await fixture.visit('/explore');
    await allowed.page.context().grantPermissions(['geolocation']);
    await allowed.page.context().setGeolocation({ latitude: 40.7466, longitude: -73.8517 });
    await button(allowed.page, 'Near me').click();
    await allowed.page.waitForURL(/at=40\.74\d*%2C-73\.85\d*&zoom=15/);
  });

  it('starts at the user’s position if it is allowed, unless the URL has one', async () => {
    const { page } = await fixture.visit('/libraries');
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: 52.52, longitude: 13.405 });
    await page.goto('/explore');
    await page.waitForURL(/at=52\.5\d*%2C13\.40?5?\d*&zoom=12/);
    const suggested = page.getByRole('region', { name: 'Suggested around here' });
    await suggested
      .getByText(/Berlin/)
      .first()
      .waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const handle = page.getByRole('button', { name: 'Expand or collapse' });
    await page.getByRole('button', { name: 'Expand or collapse', expanded: true }).waitFor();
    // The same result after another search does not open it again.
    await handle.press('Escape');
    const toggleOpen = async () => {
      await button(page, /^Filter/).click();
      await button(page, 'Open now').click();
      await button(page, 'Show challenges').click();
    };
    await toggleOpen();
    await page.getByText('No challenges here match your filters.').waitFor();
    await toggleOpen();
    await page.getByRole('status').getByText('Nobody has started one near you yet.').waitFor();
    expect(await handle.getAttribute('aria-expanded')).toBe('false');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/explore?at=40.75,-73.83&zoom=14');
    await list(page).waitFor();
    await page
      .getByText(/3,9\d\d\smi/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
    await page.waitForURL(/at=52\.5\d*%2C13\.40?5?\d*&zoom=12/);
  });

  it('shows an error notice until the user leaves the page', async () => {
    const { page } = await fixture.visit('/explore?challenge=999999999', { as: fixture.creator });
    const dismiss = button(page, 'Dismiss');
    await dismiss.waitFor();
    await page.getByRole('link', { name: 'Leaderboard' }).first().click();
    await page.waitForURL('**/Leaderboard');
    await dismiss.waitFor({ state: 'detached' });
  });

  it('shows that the map is loading, an error if it fails, and the map after a retry', async () => {
    const visitor = await fixture.browser.visitor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visitor.page.route('**/api/settings', async (route) => {
      await released;
      await route.fulfill({ status: 503, body: '' });
    });
    await visitor.page.goto('/explore');
    await visitor.page.getByText('loading maps').waitFor();
    release();
    await visitor.page.getByText('Error loading maps').waitFor();
    await visitor.page.unroute('**/api/settings');
    await button(visitor.page, 'Try again').click();
    await map(visitor.page).waitFor();
  });
});
