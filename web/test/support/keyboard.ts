import { errors, type Locator, type Page } from 'playwright-core';
import { findBarriers, type Issue } from '../screens/checks.ts';

/** The viewports in which every feature is tested. */
export const viewports = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const;

/** More than twice the focusable elements of any page: after the last one, Tab starts again from the first. */
const maxPresses = 250;

/** Whether an element has the focus and is not covered. */
const isFocusedAndVisible = (target: Locator) =>
  target.evaluate((element) => {
    if (element !== document.activeElement) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    return !!hit && [element, ...labels].some((each) => each.contains(hit));
  });

/** Presses Tab until an element has the focus; throws if it is not reachable or covered. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if (await isFocusedAndVisible(target)) return;
    await keyboard.press(key);
  }
  throw new Error(`${target} is not reachable by pressing ${key} ${maxPresses} times`);
}

/** Tabs to an element and activates it by a key. */
export async function activate(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** Tabs to a field and replaces its text. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  const { keyboard } = target.page();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(text);
}

/** How long a page that is loading may have no focused element, in milliseconds. */
const focusTimeoutMs = 5_000;

/** Returns the accessibility issues of a page after an action: violations that axe finds, and a lost focus. */
export async function findAccessibilityIssues(page: Page): Promise<(Issue | string)[]> {
  // Browsers remove the focus from a removed element at the next rendering; a loading page sets it when it is rendered.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
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
  // Scrolls to the top, where the header covers nothing.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const lost = isLost ? ['no element has the focus'] : [];
  return [...lost, ...(await findBarriers(page))];
}
