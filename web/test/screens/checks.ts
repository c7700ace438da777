import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** What is not as it should be. */
export interface Fault {
  check: 'axe' | 'width' | 'text' | 'target' | 'shift' | 'console' | 'focus';
  what: string;
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and what is held to be good practice beside it. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** How much of the window may move by itself while a page is loaded. */
const maxShift = 0.02;

/** What axe finds in the page. */
export async function findBarriers(page: Page): Promise<Fault[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async (values) => {
    // What is drawn in a picture says nothing to anybody, and there is much of it.
    const found = await window.axe.run(
      { exclude: [['svg[aria-hidden="true"]']] },
      {
        runOnly: { type: 'tag', values },
        resultTypes: ['violations'],
        preload: false,
      },
    );
    return found.violations.map(({ id, nodes }) => ({
      id,
      where: nodes.slice(0, 3).map(({ target }) => target.join(' ')),
      why: nodes[0]?.failureSummary?.split('\n')[1]?.trim() ?? '',
    }));
  }, tags);
  return violations.map(({ id, where, why }) => ({
    check: 'axe',
    what: `${id}: ${where.join(' and ')}: ${why}`,
  }));
}

/** What moved by itself since the page was opened. */
export async function findShift(page: Page): Promise<Fault[]> {
  const shifts = await page.evaluate(() => window.shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const worst = shifts.sort((one, other) => other.value - one.value)[0];
  return sum > maxShift ? [{ check: 'shift', what: `${sum.toFixed(3)}, most by ${worst?.what}` }] : [];
}

/** Whether what was pressed or written in took the focus with it when it went. */
export const findLostFocus = (page: Page): Promise<Fault[]> =>
  page.evaluate(() =>
    window.hadFocus && (!document.activeElement || document.activeElement === document.body)
      ? [{ check: 'focus', what: 'nothing has it after what was done' }]
      : [],
  );

/** What sticks out of the window, what text is cut off, what short word is broken, and what is too small to be pressed with a thumb. */
export const findMisfits = (page: Page): Promise<Fault[]> => page.evaluate(lookAtLayout);

/** In the page, and so with nothing from outside itself. */
function lookAtLayout(): Fault[] {
  const faults: Fault[] = [];
  const name = (element: Element) => {
    const text =
      element.getAttribute('aria-label') || element.textContent || element.getAttribute('name') || '';
    return `${element.tagName.toLowerCase()} “${text.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  /** Text for screen readers alone stands in boxes of a pixel. */
  const isForEyes = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (getComputedStyle(at).clipPath === 'inset(50%)') return false;
      const { width, height } = at.getBoundingClientRect();
      if (width <= 1 && height <= 1 && getComputedStyle(at).overflow !== 'visible') return false;
    }
    return true;
  };
  /** A map goes on beyond its edges. */
  const isOnMap = (element: Element) =>
    !!element.closest('.leaflet-pane') && !element.closest('.leaflet-popup-pane');
  const windowWidth = document.documentElement.clientWidth;

  /** What a box is cut off by; null if one can scroll to all of it. */
  const cutBy = (box: DOMRect, element: Element): Element | 'window' | null => {
    let at: Element | null = element;
    let skipsUnplaced = false;
    while (at && at !== document.body && at !== document.documentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      if (!(skipsUnplaced && position === 'static')) {
        if (overflowX === 'auto' || overflowX === 'scroll') return null;
        const across = overflowX !== 'visible' && (box.right > edge.right + 1 || box.left < edge.left - 1);
        // Letters may be a little higher than their line.
        const spare = box.height / 4;
        const down =
          (overflowY === 'hidden' || overflowY === 'clip') &&
          (box.bottom > edge.bottom + spare || box.top < edge.top - spare);
        if (across || down) return at;
        skipsUnplaced = false;
      }
      if (position === 'fixed') break;
      if (position === 'absolute') skipsUnplaced = true;
      at = at.parentElement;
    }
    return box.right > windowWidth + 1 || box.left < -1 ? 'window' : null;
  };

  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg') || isOnMap(element) || !isShown(element) || !isForEyes(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (cutBy(box, element) !== 'window') continue;
    if (element.parentElement && cutBy(element.parentElement.getBoundingClientRect(), element.parentElement))
      continue;
    faults.push({ check: 'width', what: `${name(element)} is wider than the window` });
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = new Set<Element>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || told.has(parent) || !node.nodeValue?.trim()) continue;
    // What a text field shows is not the text in it, and can be scrolled.
    if (parent.closest('svg, noscript, script, style, option, textarea') || isOnMap(parent)) continue;
    if (!isShown(parent) || !isForEyes(parent)) continue;
    const range = document.createRange();
    // What has no space in it for long, as an address, has to break somewhere.
    const text = node.nodeValue.replace(/[!-~\p{Script=Latin}]{30,}/gu, (long) => '。'.repeat(long.length));
    for (const { 0: word, index } of text.matchAll(
      /(?<![\p{L}\p{N}])[\p{Script=Latin}\p{N}]{2,14}(?![\p{L}\p{N}])/gu,
    )) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [first, ...others] = range.getClientRects();
      if (!others.some(({ top }) => first && top > first.bottom - 1)) continue;
      told.add(parent);
      faults.push({ check: 'text', what: `${name(parent)} breaks in “${word}”` });
      break;
    }
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const cutter = cutBy(box, parent);
    let block: Element = parent;
    while (block.parentElement && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const own = block.getBoundingClientRect();
    const sticksOut = box.right > own.right + 1 || box.left < own.left - 1;
    const isEllipsis =
      cutter instanceof Element &&
      getComputedStyle(cutter).textOverflow === 'ellipsis' &&
      !!parent.closest('[title]');
    if ((!cutter && !sticksOut) || isEllipsis) continue;
    told.add(parent);
    const how =
      cutter === 'window' ? 'goes beyond the window' : cutter ? 'is cut off' : 'sticks out of its box';
    faults.push({ check: 'text', what: `${name(parent)} ${how}` });
  }

  const least = 43.5;
  const targets =
    'a[href], button:not(:disabled), input:not([type="hidden"], :disabled), select, textarea, summary, [role="button"], [role="option"], [role="menuitem"]';
  /** A link in a sentence is as high as its line. */
  const isInSentence = (element: Element) => {
    if (!element.matches('a') || getComputedStyle(element).display !== 'inline') return false;
    let block = element.parentElement;
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const around = (block?.textContent ?? '').replace(element.textContent ?? '', '');
    return /\p{L}/u.test(around);
  };
  /** What is pressed may be more than what is seen: a label, or a picture around. */
  const reaches = (element: Element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const points = [
      [-least / 2, 0],
      [least / 2, 0],
      [0, -least / 2],
      [0, least / 2],
    ] as const;
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
      // What a menu covers is pressed when that is closed.
      if (hit?.closest('[popover]')?.contains(element) === false) return true;
      return hit && (element.contains(hit) || labels.some((label) => label.contains(hit)));
    });
  };
  const scrolled = scrollY;
  const modal = document.querySelector('dialog:modal');
  for (const element of document.querySelectorAll(targets)) {
    if (!isShown(element) || !isForEyes(element) || isInSentence(element)) continue;
    // What stands behind a dialog cannot be pressed.
    if (modal && !modal.contains(element)) continue;
    const { width, height } = element.getBoundingClientRect();
    if ((width >= least && height >= least) || reaches(element)) continue;
    faults.push({
      check: 'target',
      what: `${name(element)} is only ${Math.round(Math.min(width, height))} px`,
    });
  }
  scrollTo({ top: scrolled, behavior: 'instant' });
  return faults;
}
