import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { savedScrollPosition } from './scroll-position.ts';

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
