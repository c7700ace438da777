import type { Position } from '@wayquest/contracts';
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ExploreAddress, readAddress, writeAddress } from './address.ts';

/**
 * What the address bar says of the map, and how to change a part of it.
 *
 * @param home - Where the map starts where the address bar does not say.
 */
export function useExploreAddress(home: Position | undefined) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The next page may still be on its way while the map comes to rest: its address is not ours to change.
  // Routes match in any case, and the link in the bar is written '/Explore'.
  const own = useRef(pathname.toLowerCase());
  const address = useMemo(() => readAddress(new URLSearchParams(search), home), [search, home]);
  const change = useCallback(
    (part: Partial<ExploreAddress>) => {
      if (location.pathname.toLowerCase() !== own.current) return;
      // Not what was drawn last: changes can come faster than they are drawn.
      const latest = readAddress(new URLSearchParams(location.search), home);
      const query = writeAddress({ ...latest, ...part });
      if (query !== location.search) navigate(query, { replace: true, preventScrollReset: true });
    },
    [navigate, home],
  );
  return { address, change, isHere: pathname.toLowerCase() === own.current };
}
