import type { Position } from '@wayquest/contracts';
import { isFiltered } from './address.ts';
import { boxAt, containsBox } from './map/boxes.ts';
import type { Search, selectSearchResult } from './slice.ts';

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
