import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
export function useAreaSearch({ difficulty, open, joined, search: text }: Filters) {
  const dispatch = useDispatch();
  const searched = useSelector(selectSearched);
  const clustered = useSelector(selectClusters).length > 0;
  const [view, setView] = useState<View | null>(null);
  const sent = useRef(true);
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

  return {
    view,
    /** The middle of what was searched last. */
    searchedCenter,
    /** Whether another area is shown than the one that was searched. */
    offered: view !== null && searched !== null && !holds(grow(searched.box, slack), view.box),
    search: () => view && search(view),
    /** Searches where the map comes to rest next. */
    follow: () => {
      sent.current = true;
    },
    onView: (next: View) => {
      setView(next);
      if (sent.current || (clustered && next.zoom !== searched?.zoom)) search(next);
      sent.current = false;
    },
  };
}
