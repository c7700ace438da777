import { type FocusEvent, useEffect, useRef } from 'react';

/** Keeps the focus in an element whose buttons change: when the focused one is removed, the element itself takes it. */
export function useFocusFallback<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const hasFocus = useRef(false);
  // After every render.
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // The event of a removed button does not contain the new focus.
      if (relatedTarget) hasFocus.current = false;
    },
  };
}
