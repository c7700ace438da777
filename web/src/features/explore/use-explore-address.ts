import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ExploreAddress, readAddress, writeAddress } from './address.ts';

/** What the address bar says of the map, and how to change a part of it. */
export function useExploreAddress() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(new URLSearchParams(search)), [search]);
  // Two changes can come before the first of them is in the address bar.
  const latest = useRef(address);
  useEffect(() => {
    latest.current = address;
  }, [address]);
  const change = useCallback(
    (part: Partial<ExploreAddress>) => {
      latest.current = { ...latest.current, ...part };
      navigate(writeAddress(latest.current), { replace: true, preventScrollReset: true });
    },
    [navigate],
  );
  return [address, change] as const;
}
