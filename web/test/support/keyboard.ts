import { errors, type Locator, type Page } from 'playwright-core';
import { findBarriers, type Issue } from '../screens/checks.ts';

/** The windows that everything has to work in. */
export const windows = [
  ['at a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const;

/** More than any page has, twice: from its end Tab begins anew, with what has come meanwhile. */
const maxPresses = 250;

/** Whether it has the focus and can be seen. */
const standsOn = (target: Locator) =>
  target.evaluate((element) => {
    if (element !== document.activeElement) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    return !!hit && [element, ...labels].some((each) => each.contains(hit));
  });

/** Goes on by Tab until this has the focus; throws where that never comes to it, or something covers it there. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if (await standsOn(target)) return;
    await keyboard.press(key);
  }
  throw new Error(`${maxPresses} times ${key} do not lead to ${target}`);
}

/** Goes to something and presses it. */
export async function pressTo(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** Goes to a field and writes in it, instead of what is there. */
export async function writeIn(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  const { keyboard } = target.page();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(text);
}

/** For how long a page that is still coming may leave the focus nowhere. */
const focusTimeoutMs = 5_000;

/** What keeps somebody who has just pressed something from going on: barriers, and a focus that fell back to the page. */
export async function findObstacles(page: Page): Promise<(Issue | string)[]> {
  // A browser takes the focus from what is gone when it draws next; a page that is still loading takes it when it is there.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const isLost = await page
    .waitForFunction(() => document.activeElement && document.activeElement !== document.body, undefined, {
      timeout: focusTimeoutMs,
    })
    .then(() => false)
    .catch((error: unknown) => {
      if (error instanceof errors.TimeoutError) return true;
      throw error;
    });
  // What the head of the page covers is free again where one scrolls.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const lost = isLost ? ['the focus is nowhere'] : [];
  return [...lost, ...(await findBarriers(page))];
}
