import type { Place, PlaceType, Position } from '@wayquest/contracts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { type Filters, isFiltered } from './address.ts';
import { boxAt, centerOf, containsBox } from './map/boxes.ts';
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

/**
 * Searches the challenges of the visible area: at the start, when filters change, and wherever the map stops, so that the list is
 * what the map shows.
 *
 * @param from - The position that challenges are listed around.
 */
export function useAreaSearch({ difficulty, open, joined, search: text }: Filters, from: Position | null) {
  const dispatch = useDispatch();
  const searched = useSelector(selectSearched);
  const clustered = useSelector(selectClusters).length > 0;
  const [view, setView] = useState<View | null>(null);
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onView` searches after a move
  useEffect(() => {
    if (view) search(view);
  }, [search]);
  // Where not all challenges are listed, others are near another position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onView` searches after a move
  useEffect(() => {
    if (view && clustered) search(view);
  }, [from]);

  const searchedBox = searched?.box;
  const searchedCenter = useMemo(() => (searchedBox ? centerOf(searchedBox) : null), [searchedBox]);

  return {
    view,
    /** The center of the last search. */
    searchedCenter,
    search: () => view && search(view),
    onView: (next: View) => {
      setView(next);
      search(next);
    },
  };
}
