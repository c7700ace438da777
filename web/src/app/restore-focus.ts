/** Elements in added content that can take the focus. */
const targets = 'h1, h2, h3, h4, a[href], button';

/** The map moves the focus itself. */
const excluded = '.leaflet-container';

/** Focuses an element, which need not be focusable, without scrolling. */
function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

const isShown = (element: HTMLElement) => element.isConnected && element.checkVisibility();

const targetIn = (content: HTMLElement): HTMLElement =>
  [...content.querySelectorAll<HTMLElement>(targets)].find(isShown) ?? content;

/**
 * Restores the focus when the focused element is removed, such as the last button of a list: it moves to the content that
 * replaced the element, or otherwise to the nearest remaining ancestor. Pages and dialogs that set the focus themselves take
 * precedence.
 */
export function restoreFocus(): void {
  /** The element that had the focus last, and its ancestors, innermost first. */
  let ancestors: HTMLElement[] = [];
  /** Elements added since its removal, until nothing else can have taken the focus. */
  let added: HTMLElement[] | undefined;
  let path = location.pathname;

  const isLost = () => !document.activeElement || document.activeElement === document.body;

  const restore = () => {
    const ancestor = ancestors.find(isShown);
    const replacement = added?.find((element) => isShown(element) && ancestor?.contains(element));
    added = undefined;
    if (!isLost() || location.pathname !== path || !ancestor) return;
    focus(replacement ? targetIn(replacement) : ancestor);
  };

  addEventListener('focusin', ({ target }) => {
    ancestors = [];
    path = location.pathname;
    if (!(target instanceof HTMLElement) || target.closest(excluded)) return;
    for (let at: HTMLElement | null = target; at?.closest('main'); at = at.parentElement) ancestors.push(at);
  });
  // A press outside of every control removes the focus on purpose.
  addEventListener('pointerdown', () => {
    setTimeout(() => {
      if (isLost() && ancestors[0]?.isConnected) ancestors = [];
    });
  });

  new MutationObserver((records) => {
    if (added === undefined) {
      if (!isLost() || ancestors.length === 0 || ancestors[0]?.isConnected) return;
      added = [];
      requestAnimationFrame(() => requestAnimationFrame(restore));
    }
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLElement) added.push(node);
  }).observe(document.body, { childList: true, subtree: true });
}
