import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { showDocument } from '@wayquest/testing';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A problem that a check found. */
export interface Issue {
  check: 'axe' | 'width' | 'text' | 'target' | 'shift' | 'console' | 'focus';
  description: string;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, and axe's best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The largest acceptable layout shift while a page loads, as a share of the window. */
const maxShift = 0.02;

/** Runs axe in a page, and returns its violations. */
export async function findBarriers(page: Page): Promise<Issue[]> {
  await showDocument(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (values) => {
    // The content of decorative pictures is hidden from screen readers, and large.
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
    description: `${id}: ${where.join(' and ')}: ${why}`,
  }));
}

/** Returns an issue if the layout shifted too much since the page was opened. */
export async function findLayoutShift(page: Page): Promise<Issue[]> {
  const shifts = await page.evaluate(() => window.shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const worst = shifts.sort((one, other) => other.value - one.value)[0];
  return sum > maxShift ? [{ check: 'shift', description: `${sum.toFixed(3)}, most by ${worst?.what}` }] : [];
}

/** Returns an issue if the focus was lost, as when the focused element was removed. */
export const findLostFocus = (page: Page): Promise<Issue[]> =>
  page.evaluate(() =>
    window.hadFocus && (!document.activeElement || document.activeElement === document.body)
      ? [{ check: 'focus', description: 'no element has the focus after the action' }]
      : [],
  );

/** Finds elements that overflow the window, clipped text, broken short words, and touch targets that are too small. */
export async function findLayoutIssues(page: Page): Promise<Issue[]> {
  await showDocument(page);
  return page.evaluate(checkLayout);
}

/** Runs in the page, so it uses no imports. */
function checkLayout(): Issue[] {
  const issues: Issue[] = [];
  const name = (element: Element) => {
    const text =
      element.getAttribute('aria-label') || element.textContent || element.getAttribute('name') || '';
    return `${element.tagName.toLowerCase()} “${text.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  /** Text for screen readers only is in boxes of one pixel. */
  const isVisuallyRendered = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { clipPath, display, overflow } = getComputedStyle(at);
      if (clipPath === 'inset(50%)') return false;
      // Has no box of its own, and clips nothing.
      if (display === 'contents') continue;
      const { width, height } = at.getBoundingClientRect();
      if (width <= 1 && height <= 1 && overflow !== 'visible') return false;
    }
    return true;
  };
  /** The content of a map continues beyond its edges. */
  const isOnMap = (element: Element) =>
    !!element.closest('.leaflet-pane') && !element.closest('.leaflet-popup-pane');
  const windowWidth = document.documentElement.clientWidth;

  /** Returns the element that clips a box, or null if all of it is visible or can be scrolled to. */
  const findClippingElement = (box: DOMRect, element: Element): Element | 'window' | null => {
    let at: Element | null = element;
    let skipsUnplaced = false;
    while (at && at !== document.body && at !== document.documentElement) {
      const { display, overflowX, overflowY, position } = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      if (display !== 'contents' && !(skipsUnplaced && position === 'static')) {
        if (overflowX === 'auto' || overflowX === 'scroll') return null;
        const across = overflowX !== 'visible' && (box.right > edge.right + 1 || box.left < edge.left - 1);
        // Glyphs may be slightly taller than their line.
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
    if (element.closest('svg') || isOnMap(element) || !isShown(element) || !isVisuallyRendered(element))
      continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (findClippingElement(box, element) !== 'window') continue;
    if (
      element.parentElement &&
      findClippingElement(element.parentElement.getBoundingClientRect(), element.parentElement)
    )
      continue;
    issues.push({ check: 'width', description: `${name(element)} is wider than the window` });
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const reported = new Set<Element>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || reported.has(parent) || !node.nodeValue?.trim()) continue;
    // Text fields show their value, not their text node, and can be scrolled.
    if (parent.closest('svg, noscript, script, style, option, textarea') || isOnMap(parent)) continue;
    if (!isShown(parent) || !isVisuallyRendered(parent)) continue;
    const range = document.createRange();
    // A long text without spaces, such as a URL, has to break somewhere.
    const text = node.nodeValue.replace(/[!-~\p{Script=Latin}]{30,}/gu, (long) => '。'.repeat(long.length));
    for (const { 0: word, index } of text.matchAll(
      /(?<![\p{L}\p{N}])[\p{Script=Latin}\p{N}]{2,14}(?![\p{L}\p{N}])/gu,
    )) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [first, ...others] = range.getClientRects();
      if (!others.some(({ top }) => first && top > first.bottom - 1)) continue;
      reported.add(parent);
      issues.push({ check: 'text', description: `${name(parent)} breaks in “${word}”` });
      break;
    }
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const clippedBy = findClippingElement(box, parent);
    let block: Element = parent;
    while (block.parentElement && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const own = block.getBoundingClientRect();
    const sticksOut = box.right > own.right + 1 || box.left < own.left - 1;
    const isEllipsis =
      clippedBy instanceof Element &&
      getComputedStyle(clippedBy).textOverflow === 'ellipsis' &&
      !!parent.closest('[title]');
    if ((!clippedBy && !sticksOut) || isEllipsis) continue;
    reported.add(parent);
    const how =
      clippedBy === 'window' ? 'goes beyond the window' : clippedBy ? 'is cut off' : 'sticks out of its box';
    issues.push({ check: 'text', description: `${name(parent)} ${how}` });
  }

  const minTargetSize = 43.5;
  const targets =
    'a[href], button:not(:disabled), input:not([type="hidden"], :disabled), select, textarea, summary, [role="button"], [role="option"], [role="menuitem"]';
  /** A link in a sentence is as high as its line of text. */
  const isInSentence = (element: Element) => {
    if (!element.matches('a') || getComputedStyle(element).display !== 'inline') return false;
    let block = element.parentElement;
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const around = (block?.textContent ?? '').replace(element.textContent ?? '', '');
    return /\p{L}/u.test(around);
  };
  /** The area that reacts to a press may be larger than the element: a label, or a surrounding picture. */
  const isLargeEnough = (element: Element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const points = [
      [-minTargetSize / 2, 0],
      [minTargetSize / 2, 0],
      [0, -minTargetSize / 2],
      [0, minTargetSize / 2],
    ] as const;
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
      // An element covered by an open menu can be pressed after the menu is closed.
      if (hit?.closest('[popover]')?.contains(element) === false) return true;
      return hit && (element.contains(hit) || labels.some((label) => label.contains(hit)));
    });
  };
  const initialScroll = scrollY;
  const modal = document.querySelector('dialog:modal');
  for (const element of document.querySelectorAll(targets)) {
    if (!isShown(element) || !isVisuallyRendered(element) || isInSentence(element)) continue;
    // Elements behind a modal dialog cannot be pressed.
    if (modal && !modal.contains(element)) continue;
    const { width, height } = element.getBoundingClientRect();
    if ((width >= minTargetSize && height >= minTargetSize) || isLargeEnough(element)) continue;
    issues.push({
      check: 'target',
      description: `${name(element)} is only ${Math.round(Math.min(width, height))} px`,
    });
  }
  scrollTo({ top: initialScroll, behavior: 'instant' });
  return issues;
}
