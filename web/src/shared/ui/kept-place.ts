import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { safeSessionStorage } from '../lib/storage.ts';

/** The scroll position in a long list, and how many items it had. */
interface Place {
  top: number;
  count: number;
}

/** The id of a history entry, stored in its state, which the router preserves. */
const markOf = (state: unknown): string | null =>
  state instanceof Object && 'place' in state && typeof state.place === 'string' ? state.place : null;

/** The scroll position at which the person left this history entry; null for a new one. */
export function keptPlace(): Place | null {
  const mark = markOf(history.state);
  const [top, count] = (mark && safeSessionStorage.getItem(mark)?.split(' ')) || [];
  return top && count ? { top: Number(top), count: Number(count) } : null;
}

function goBack(): void {
  const place = keptPlace();
  if (place) scrollTo({ top: place.top, behavior: 'instant' });
}

/**
 * Restores the scroll position of a long list after going back or reloading, once the list is rendered. The browser
 * would do it before the list has its length.
 */
export function useKeptPlace(ready: boolean, count: number): void {
  const entry = useLocation();
  const isPlaced = useRef(false);
  const shown = useRef(count);
  useLayoutEffect(() => {
    shown.current = count;
    if (!ready || isPlaced.current) return;
    isPlaced.current = true;
    goBack();
  }, [ready, count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history has a place of its own
  useEffect(() => {
    // After navigating within the page, and back.
    if (isPlaced.current) goBack();
    const mark = markOf(history.state) ?? `place-${Date.now()}`;
    history.replaceState({ ...history.state, place: mark }, '');
    history.scrollRestoration = 'manual';
    let top = scrollY;
    const keep = () => {
      if (isPlaced.current) safeSessionStorage.setItem(mark, `${top} ${shown.current}`);
    };
    const follow = () => {
      // Going back changes the position before this page is unmounted.
      if (markOf(history.state) === mark) top = scrollY;
    };
    addEventListener('scroll', follow, { passive: true });
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('scroll', follow);
      removeEventListener('pagehide', keep);
      keep();
      history.scrollRestoration = 'auto';
    };
  }, [entry]);
}
