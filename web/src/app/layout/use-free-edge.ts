import { useLayoutEffect, useState } from 'react';

const field = 'input, textarea, select';

/** The half of the window in which the focused field is, if one has the focus. */
function halfInUse(): 'top' | 'bottom' | undefined {
  const { activeElement } = document;
  if (!activeElement?.matches(field)) return undefined;
  const { top, bottom } = activeElement.getBoundingClientRect();
  return (top + bottom) / 2 < window.innerHeight / 2 ? 'top' : 'bottom';
}

/** The edge of the window at which something covers no field in use; at the bottom if there is none. */
export function useFreeEdge(isShown: boolean): 'top' | 'bottom' {
  const [edge, setEdge] = useState<'top' | 'bottom'>('bottom');
  useLayoutEffect(() => {
    if (!isShown) return;
    const follow = () => setEdge(halfInUse() === 'bottom' ? 'top' : 'bottom');
    follow();
    const moves = ['focusin', 'scroll', 'resize'];
    for (const name of moves) window.addEventListener(name, follow, { capture: true, passive: true });
    return () => {
      for (const name of moves) window.removeEventListener(name, follow, { capture: true });
    };
  }, [isShown]);
  return edge;
}
