import { useReducedMotion } from '@mantine/hooks';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance, in pixels, the log counts as scrolled to its end. */
const near = 60;

interface LogBounds {
  /** Keys of the first and last entry; undefined for an empty log. */
  first: string | undefined;
  last: string | undefined;
  /** Whether the last entry is the reader's own, to which the log always scrolls. */
  ownLast: boolean;
}

/**
 * Scrolls a log smoothly to each new entry, unless the reader has scrolled up. Keeps the position when older entries
 * are inserted above.
 */
export function useLogScroll({ first, last, ownLast }: LogBounds) {
  const log = useRef<HTMLDivElement>(null);
  const before = useRef({ first, last, height: 0, top: 0 });
  const [atEnd, setAtEnd] = useState(true);
  const end = useRef(atEnd);
  const [unseen, setUnseen] = useState(false);
  const prefersReducedMotion = useReducedMotion(undefined, { getInitialValueInEffect: false });

  const goToEnd = useCallback(
    (behavior: ScrollBehavior = prefersReducedMotion ? 'instant' : 'smooth') => {
      log.current?.scrollTo({ top: log.current.scrollHeight, behavior });
      setAtEnd(true);
      setUnseen(false);
    },
    [prefersReducedMotion],
  );

  // After each render: an entry also grows when it shows an error.
  useLayoutEffect(() => {
    const element = log.current;
    end.current = atEnd;
    if (!element) return;
    const { first: firstBefore, last: lastBefore, height } = before.current;
    if (last !== lastBefore) {
      if (lastBefore === undefined) goToEnd('instant');
      else if (atEnd || ownLast) goToEnd();
      else setUnseen(true);
    } else if (first !== firstBefore) {
      element.scrollTop += element.scrollHeight - height;
    } else if (atEnd && element.scrollHeight > height) {
      goToEnd();
    }
    before.current = { first, last, height: element.scrollHeight, top: element.scrollTop };
  });

  // The log shrinks when the input grows or a keyboard opens, and its entries grow when what they mention has been loaded.
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    let [height, content] = [element.clientHeight, element.scrollHeight];
    const resizes = new ResizeObserver(() => {
      const isResized = element.clientHeight !== height || element.scrollHeight > content;
      if (isResized && end.current) goToEnd('instant');
      [height, content] = [element.clientHeight, element.scrollHeight];
    });
    const observe = () => {
      resizes.disconnect();
      for (const each of [element, ...element.children]) resizes.observe(each);
    };
    const entries = new MutationObserver(observe);
    entries.observe(element, { childList: true });
    observe();
    return () => {
      entries.disconnect();
      resizes.disconnect();
    };
  }, [goToEnd]);

  const onScroll = () => {
    const element = log.current;
    if (!element) return;
    const up = element.scrollTop < before.current.top;
    before.current.top = element.scrollTop;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (rest < near) {
      setAtEnd(true);
      setUnseen(false);
    } else if (up) {
      setAtEnd(false);
    }
  };

  return { log, atEnd, unseen, goToEnd, onScroll };
}
