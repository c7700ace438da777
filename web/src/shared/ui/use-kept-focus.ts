import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard's focus in a place whose buttons come and go: when the one that had it is gone, the place itself
 * takes it.
 */
export function useKeptFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const holds = useRef(false);
  // After whatever changes in the place.
  useEffect(() => {
    if (holds.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      holds.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // The event of a removed button does not say where the focus is now.
      if (relatedTarget) holds.current = false;
    },
  };
}
