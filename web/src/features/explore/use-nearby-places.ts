import type { Place, PlaceType, Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { PlaceFinder } from './map/map.ts';
import { translate, typeWords } from './translations.ts';

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
