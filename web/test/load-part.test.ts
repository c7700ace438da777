import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, eventually, newUser } from '@wayquest/testing';
import type { Page } from 'playwright-core';
import { useSite } from './support/start-site.ts';

/** Parts of the app that are loaded later, while the network changes. */

const sources = join(import.meta.dirname, '../src');

test('every part of the app is loaded by what requests it again (53, part 9)', () => {
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const text = /(?<!\.d)\.tsx?$/.test(name) ? readFileSync(join(sources, name), 'utf8') : '';
    return /(?<!typeof )\bimport\('/.test(text) && !/\b(loadPart|lazyComponent|lazyOptional)\b/.test(text);
  });
  expect(found).toEqual([]);
});

(await describeWith('chromium'))('a part that could not be loaded at first', () => {
  const site = useSite();

  /** Opens the home page of a member, whose menu cannot be loaded the first times. */
  const openWithoutMenu = async (failures: number, prepare?: (page: Page) => Promise<unknown>) => {
    const { token, username } = await newUser(site.network);
    const failed: string[] = [];
    let loads = 0;
    const { page } = await site.visit('/home', {
      token,
      async prepare(page) {
        await prepare?.(page);
        page.on('request', (request) => {
          if (request.isNavigationRequest()) loads += 1;
        });
        await page.route(/\/assets\/UserMenu-[^/]*\.(js|css)$/, (route) => {
          const file = route.request().url().split('.').at(-1) ?? '';
          if (failed.filter((one) => one === file).length >= failures) return route.fallback();
          failed.push(file);
          return route.abort('internetdisconnected');
        });
      },
    });
    const menu = page.getByRole('button', { name: `${username}'s menu` });
    return { page, menu, failed, loads: () => loads };
  };

  it('appears with its style sheet, without a reload, once it can be (53, part 9)', async () => {
    const { page, menu, failed, loads } = await openWithoutMenu(1);
    await menu.waitFor();
    expect(new Set(failed)).toEqual(new Set(['css', 'js']));
    await menu.click();
    const item = page.getByRole('link', { name: 'Friend Requests' });
    await eventually(async () => expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44));
    expect(loads()).toBe(1);
  });

  it('leaves a message on the home page, which loads it again (53, part 9)', async () => {
    const { token } = await newUser(site.network);
    let [isLost, loads] = [true, 0];
    const { page } = await site.visit('/home', {
      token,
      async prepare(page) {
        page.on('request', (request) => {
          if (request.isNavigationRequest()) loads += 1;
        });
        await page.route(/\/assets\/MemberBoard-[^/]*\.js$/, (route) =>
          isLost ? route.abort('internetdisconnected') : route.fallback(),
        );
      },
    });
    // The page reloads itself once, as an update would need.
    await eventually(() => expect(loads).toBe(2), { withinMs: 30_000 });
    await page.getByRole('alert').filter({ hasText: "Can't reach Wayquest." }).waitFor();
    isLost = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'In progress' }).waitFor();
  });

  it('is requested as soon as the network is back (53, part 9)', async () => {
    // Time stands still in this page: only the event ends the pause.
    const stopTime = async (page: Page) => {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
    };
    const { page, menu, failed } = await openWithoutMenu(1, stopTime);
    await eventually(async () => expect(failed).toContain('css'));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await eventually(async () => {
      await page.evaluate(() => dispatchEvent(new Event('online')));
      expect(requests).toContainEqual(expect.stringMatching(/UserMenu-[^/]*\.css$/));
    });
    await page.clock.resume();
    await menu.waitFor();
  });
});
