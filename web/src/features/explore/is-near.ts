import type { Position } from '@wayquest/contracts';
import { boxAt, holds } from './map/boxes.ts';
import type { Search } from './slice.ts';

/** Whether a person is in the area that was searched. */
export const isNear = (person: Position | null, searched: Pick<Search, 'box'> | null): boolean =>
  !!person && !!searched && holds(searched.box, boxAt(person));
