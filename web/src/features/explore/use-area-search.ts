import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { Filters } from './address.ts';
import { centerOf, grow, holds } from './map/boxes.ts';
import type { View } from './map/map.ts';
import { selectClusters, selectSearched } from './selectors.ts';
import { viewSearched } from './slice.ts';

/** The map may move so much of what was searched before it is another area. */
const slack = 0.25;

/**
 * Searches the challenges of what the map shows: at first, when the filters change, where the page itself sent the
 * map, and where a zoom tells more of clusters. Where the person moved it, a search is only offered.
 */
export function useAreaSearch(
  { difficulty, open, joined, search: text }: Filters,
  mapRef: RefObject<HTMLElement | null>,
) {
  const dispatch = useDispatch();
  const searched = useSelector(selectSearched);
  const clustered = useSelector(selectClusters).length > 0;
  const [view, setView] = useState<View | null>(null);
  const sent = useRef(true);
  const byHand = useRef(false);
  const stay = useCallback(() => {
    sent.current = false;
    byHand.current = true;
  }, []);
  useEffect(() => {
    const map = mapRef.current;
    const ways = ['pointerdown', 'wheel', 'keydown'];
    for (const way of ways) map?.addEventListener(way, stay, { capture: true, passive: true });
    return () => {
      for (const way of ways) map?.removeEventListener(way, stay, { capture: true });
    };
  }, [mapRef, stay]);
  const search = useCallback(
    ({ box, zoom }: View) =>
      dispatch(viewSearched({ box, zoom, filters: { difficulty, open, joined, search: text } })),
    [dispatch, difficulty, open, joined, text],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move alone searches nothing
  useEffect(() => {
    if (view) search(view);
  }, [search]);

  const searchedBox = searched?.box;
  const searchedCenter = useMemo(() => (searchedBox ? centerOf(searchedBox) : null), [searchedBox]);

  const isElsewhere = ({ box }: View) => searched !== null && !holds(grow(searched.box, slack), box);

  return {
    view,
    /** The middle of what was searched last. */
    searchedCenter,
    /** Whether another area is shown than the one that was searched. */
    offered: view !== null && isElsewhere(view),
    search: () => view && search(view),
    /** Searches where the map comes to rest next, and where a window moves it on, until the person moves it. */
    follow: () => {
      sent.current = true;
      byHand.current = false;
    },
    /** Searches no other area, wherever the map goes next. */
    stay,
    onView: (next: View) => {
      setView(next);
      const isZoomed = next.zoom !== searched?.zoom;
      const isOurs = sent.current || (!byHand.current && (isZoomed || isElsewhere(next)));
      if (isOurs || (clustered && isZoomed)) search(next);
      sent.current = false;
    },
  };
}
