import { setTimeout as aMoment } from 'node:timers/promises';
import { openChromium } from '@wayquest/testing';
import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import type { Page } from 'playwright-core';
import { printLine } from './settings.ts';

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** A zoom over the town, at which a view contains more challenges than the map shows individually, and one in it. */
const zooms = [11, 14];

/** Drags the map to and fro as a person does, and searches each time it is offered. */
async function drag(page: Page) {
  for (let turn = 0; turn < 8; turn++) {
    const across = turn % 2 ? 420 : -420;
    await page.mouse.move(800, 500);
    await page.mouse.down();
    await page.mouse.move(800 + across, 500 + ((turn % 3) - 1) * 120, { steps: 25 });
    await page.mouse.up();
    // Waits for what a drag triggers, which is measured.
    await aMoment(600);
    // Not by its role: that would examine every element, within the page.
    const again = page.getByText('Search this area', { exact: true });
    if (await again.count()) await again.click();
    await aMoment(600);
  }
}

/**
 * Returns the durations of tasks that blocked the page for more than 50 ms while the map was dragged, in milliseconds
 * (W3C, Long Tasks API). Undefined without Chromium.
 */
export async function measurePanning(url: string): Promise<number[] | undefined> {
  const chromium = await startBackingService('chromium', await findBackingService('chromium'), printLine);
  if (!chromium) return undefined;
  const browser = await openChromium(chromium.address, url);
  const { page } = await browser.visitor({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  });
  const tasks: number[] = [];
  for (const zoom of zooms) {
    await page.goto(`/explore?at=40.73,-73.85&zoom=${zoom}`);
    await page.getByRole('list', { name: 'Challenges on the map' }).waitFor();
    // The start of the page is not measured.
    await aMoment(3_000);
    await page.evaluate(() => {
      window.longTasks = [];
    });
    await drag(page);
    tasks.push(...(await page.evaluate(() => window.longTasks)));
  }
  await browser.close();
  return tasks;
}
