import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { safeSessionStorage } from '../lib/storage.ts';

/** The scroll position in a long list, and how many items it had. */
interface ScrollPosition {
  top: number;
  count: number;
}

/** The id of a history entry, stored in its state, which the router preserves. */
const keyOf = (state: unknown): string | null =>
  state instanceof Object && 'place' in state && typeof state.place === 'string' ? state.place : null;

/** The scroll position at which the person left this history entry; null for a new one. */
export function savedScrollPosition(): ScrollPosition | null {
  const key = keyOf(history.state);
  const [top, count] = (key && safeSessionStorage.getItem(key)?.split(' ')) || [];
  return top && count ? { top: Number(top), count: Number(count) } : null;
}

function restore(): void {
  const place = savedScrollPosition();
  if (place) scrollTo({ top: place.top, behavior: 'instant' });
}

/**
 * Restores the scroll position of a long list after going back or reloading, once the list is rendered. The browser
 * would do so before the list has its full length.
 */
export function useSavedScrollPosition(ready: boolean, count: number): void {
  const entry = useLocation();
  const isRestored = useRef(false);
  const shown = useRef(count);
  useLayoutEffect(() => {
    shown.current = count;
    if (!ready || isRestored.current) return;
    isRestored.current = true;
    restore();
  }, [ready, count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own position
  useEffect(() => {
    // After navigating within the page, and back.
    if (isRestored.current) restore();
    const key = keyOf(history.state) ?? `place-${Date.now()}`;
    history.replaceState({ ...history.state, place: key }, '');
    history.scrollRestoration = 'manual';
    let top = scrollY;
    const save = () => {
      if (isRestored.current) safeSessionStorage.setItem(key, `${top} ${shown.current}`);
    };
    const track = () => {
      // Going back changes the position before this page is unmounted.
      if (keyOf(history.state) === key) top = scrollY;
    };
    addEventListener('scroll', track, { passive: true });
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('scroll', track);
      removeEventListener('pagehide', save);
      save();
      history.scrollRestoration = 'auto';
    };
  }, [entry]);
}

const timeoutMs = 10_000;

/**
 * Scrolls to the part of the page in the URL's fragment: once it is rendered, and again once everything above it is.
 */
export function useHashScroll(settled: boolean) {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link followed twice scrolls twice
  useEffect(() => {
    if (!hash || savedScrollPosition()) return;
    const go = () => {
      const target = document.getElementById(decodeURIComponent(hash.slice(1)));
      target?.scrollIntoView();
      return target !== null;
    };
    if (go()) return;
    const observer = new MutationObserver(() => go() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), timeoutMs);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [hash, key, settled]);
}
