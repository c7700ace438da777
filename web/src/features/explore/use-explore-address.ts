import type { Position } from '@wayquest/contracts';
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ExploreAddress, readAddress, writeAddress } from './address.ts';

/**
 * Returns the map's state in the URL, and a function to change parts of it.
 *
 * @param home - Where the map starts if the URL has no position.
 */
export function useExploreAddress(home: Position | undefined) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The map may stop while the next page is loading, whose URL must not be changed. Routes match in any case, and the
  // spec writes '/Explore'.
  const own = useRef(pathname.toLowerCase());
  const address = useMemo(() => readAddress(new URLSearchParams(search), home), [search, home]);
  const change = useCallback(
    (part: Partial<ExploreAddress>) => {
      if (location.pathname.toLowerCase() !== own.current) return;
      // Not the rendered state: changes can come faster than renders.
      const latest = readAddress(new URLSearchParams(location.search), home);
      const query = writeAddress({ ...latest, ...part });
      if (query !== location.search) navigate(query, { replace: true, preventScrollReset: true });
    },
    [navigate, home],
  );
  return { address, change, isHere: pathname.toLowerCase() === own.current };
}
