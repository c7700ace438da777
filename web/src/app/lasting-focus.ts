/** What somebody would want to be at in what has just come. */
const marks = 'h1, h2, h3, h4, a[href], button';

/** A map knows better what comes after a pin. */
const own = '.leaflet-container';

/** Takes the focus to an element that may not be made for it, and moves nothing. */
function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

const isShown = (element: HTMLElement) => element.isConnected && element.checkVisibility();

const targetIn = (added: HTMLElement): HTMLElement =>
  [...added.querySelectorAll<HTMLElement>(marks)].find(isShown) ?? added;

/**
 * Keeps the focus in the page when what had it goes, as a button does that was the last of its kind: it goes on to what
 * came there instead, and where nothing came to what the button stood in. Pages and dialogs, which have a wish of their own,
 * come first.
 */
export function keepFocus(): void {
  /** What had the focus last, and all that it stood in, from the inside out. */
  let chain: HTMLElement[] = [];
  /** Since it went, until it is clear that nobody else takes the focus. */
  let came: HTMLElement[] | undefined;
  let path = location.pathname;

  const isNowhere = () => !document.activeElement || document.activeElement === document.body;

  const moveOn = () => {
    const around = chain.find(isShown);
    const added = came?.find((one) => isShown(one) && around?.contains(one));
    came = undefined;
    if (!isNowhere() || location.pathname !== path || !around) return;
    focus(added ? targetIn(added) : around);
  };

  addEventListener('focusin', ({ target }) => {
    chain = [];
    path = location.pathname;
    if (!(target instanceof HTMLElement) || target.closest(own)) return;
    for (let at: HTMLElement | null = target; at?.closest('main'); at = at.parentElement) chain.push(at);
  });
  // Who presses beside everything wants the focus nowhere.
  addEventListener('pointerdown', () => {
    setTimeout(() => {
      if (isNowhere() && chain[0]?.isConnected) chain = [];
    });
  });

  new MutationObserver((records) => {
    if (came === undefined) {
      if (!isNowhere() || chain.length === 0 || chain[0]?.isConnected) return;
      came = [];
      requestAnimationFrame(() => requestAnimationFrame(moveOn));
    }
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLElement) came.push(node);
  }).observe(document.body, { childList: true, subtree: true });
}
