import { useEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** A new page begins at its top; going back is left to the browser. */
export function useScrollToTop() {
  const { pathname, hash } = useLocation();
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what this waits for
  useEffect(() => {
    if (!back && !hash) scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname]);
}
