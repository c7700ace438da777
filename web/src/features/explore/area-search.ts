import type { Place, PlaceType, Position } from '@wayquest/contracts';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { type Filters, isFiltered } from './address.ts';
import { boxAt, centerOf, containsBox, grow } from './map/boxes.ts';
import type { PlaceFinder, View } from './map/map.ts';
import {
  type Search,
  selectClusters,
  selectSearched,
  type selectSearchResult,
  viewSearched,
} from './slice.ts';
import { translate, typeWords } from './translations.ts';

/** Whether a person is in the area that was searched. */
export const isInSearchedArea = (person: Position | null, searched: Pick<Search, 'box'> | null): boolean =>
  !!person && !!searched && containsBox(searched.box, boxAt(person));

/** Whether an unfiltered search around a person found nothing. */
export const isNothingNear = (
  { state, challenges, clusters, searched }: ReturnType<typeof selectSearchResult>,
  person: Position | null,
): boolean =>
  state === 'ready' &&
  challenges.length === 0 &&
  clusters.length === 0 &&
  !isFiltered(searched?.filters) &&
  isInSearchedArea(person, searched);

/** The places of a type around a position; loaded again when either changes. */
export function useNearbyPlaces(finder: PlaceFinder, type: PlaceType | null, around: Position | null) {
  const dispatch = useDispatch();
  const [places, setPlaces] = useState<Place[]>([]);
  useEffect(() => {
    setPlaces([]);
    if (!type || !around) return;
    let isCurrent = true;
    finder.nearby(type, around).then(
      (found) => {
        if (!isCurrent) return;
        setPlaces(found);
        if (found.length === 0) dispatch(noticed({ text: translate(typeWords[type].none), tone: 'good' }));
      },
      (error: Error) => isCurrent && dispatch(noticed({ text: error.message, tone: 'bad' })),
    );
    return () => {
      isCurrent = false;
    };
  }, [dispatch, finder, type, around]);
  return places;
}

/** By how much of the searched area the map may move before it shows another one. */
const tolerance = 0.25;

/**
 * Searches the challenges of the visible area: at the start, when filters change, after the page itself moved the map,
 * and when a zoom separates clusters. After the person moved it, a search is only offered.
 *
 * @param from - The position that challenges are listed around.
 */
export function useAreaSearch(
  { difficulty, open, joined, search: text }: Filters,
  mapRef: RefObject<HTMLElement | null>,
  from: Position | null,
) {
  const dispatch = useDispatch();
  const searched = useSelector(selectSearched);
  const clustered = useSelector(selectClusters).length > 0;
  const [view, setView] = useState<View | null>(null);
  const sent = useRef(true);
  const isUserMove = useRef(false);
  const suppressSearch = useCallback(() => {
    sent.current = false;
    isUserMove.current = true;
  }, []);
  useEffect(() => {
    const map = mapRef.current;
    const eventTypes = ['pointerdown', 'wheel', 'keydown'];
    for (const type of eventTypes)
      map?.addEventListener(type, suppressSearch, { capture: true, passive: true });
    return () => {
      for (const type of eventTypes) map?.removeEventListener(type, suppressSearch, { capture: true });
    };
  }, [mapRef, suppressSearch]);
  const near = useRef(from);
  near.current = from;
  const search = useCallback(
    ({ box, zoom }: View) => {
      const inBox = isInSearchedArea(near.current, { box }) ? near.current : null;
      const filters = { difficulty, open, joined, search: text };
      return dispatch(viewSearched({ box, zoom, filters, near: inBox }));
    },
    [dispatch, difficulty, open, joined, text],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move alone searches nothing
  useEffect(() => {
    if (view) search(view);
  }, [search]);
  // Where not all challenges are listed, others are near another position; a map on its way to it searches by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move alone searches nothing
  useEffect(() => {
    if (view && clustered && !sent.current) search(view);
  }, [from]);

  const searchedBox = searched?.box;
  const searchedCenter = useMemo(() => (searchedBox ? centerOf(searchedBox) : null), [searchedBox]);

  const isElsewhere = ({ box }: View) =>
    searched !== null && !containsBox(grow(searched.box, tolerance), box);

  return {
    view,
    /** The center of the last search. */
    searchedCenter,
    /** Whether the map shows another area than the searched one. */
    isSearchOffered: view !== null && isElsewhere(view),
    search: () => view && search(view),
    /** Searches where the map stops next, and where a window moves it, until the person moves it. */
    follow: () => {
      sent.current = true;
      isUserMove.current = false;
    },
    /** Suppresses the search after the next move. */
    suppressSearch,
    onView: (next: View) => {
      setView(next);
      const isZoomed = next.zoom !== searched?.zoom;
      const isProgrammatic = sent.current || (!isUserMove.current && (isZoomed || isElsewhere(next)));
      if (isProgrammatic || (clustered && isZoomed)) search(next);
      sent.current = false;
    },
  };
}
