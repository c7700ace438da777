import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ExploreAddress, readAddress, writeAddress } from './address.ts';

/** What the address bar says of the map, and how to change a part of it. */
export function useExploreAddress() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The next page may still be on its way while the map comes to rest: its address is not ours to change.
  const own = useRef(pathname);
  const address = useMemo(() => readAddress(new URLSearchParams(search)), [search]);
  // Two changes can come before the first of them is in the address bar.
  const latest = useRef(address);
  useEffect(() => {
    latest.current = address;
  }, [address]);
  const change = useCallback(
    (part: Partial<ExploreAddress>) => {
      if (location.pathname !== own.current) return;
      latest.current = { ...latest.current, ...part };
      const query = writeAddress(latest.current);
      if (query !== location.search) navigate(query, { replace: true, preventScrollReset: true });
    },
    [navigate],
  );
  return { address, change, isHere: pathname === own.current };
}
