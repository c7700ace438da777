import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { safeSessionStorage } from '../lib/storage.ts';

/** Where somebody was in a long list, and how much of it was there. */
interface Place {
  top: number;
  count: number;
}

/** What an entry of the browser's history is known by: its own mark goes with it, whatever the router does. */
const markOf = (state: unknown): string | null =>
  state instanceof Object && 'place' in state && typeof state.place === 'string' ? state.place : null;

/** Where the person was when they left this entry of the history; null if they have not been here. */
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
 * Whoever comes back to a long list, or loads it anew, finds it where they left it: at once when it is there. The
 * browser alone would look for the place before the list has its length.
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
    // From one part of the page to another, and back.
    if (isPlaced.current) goBack();
    const mark = markOf(history.state) ?? `place-${Date.now()}`;
    history.replaceState({ ...history.state, place: mark }, '');
    history.scrollRestoration = 'manual';
    let top = scrollY;
    const keep = () => {
      if (isPlaced.current) safeSessionStorage.setItem(mark, `${top} ${shown.current}`);
    };
    const follow = () => {
      // Going back moves the page before this one is gone.
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
