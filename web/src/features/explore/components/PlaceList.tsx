import type { Place } from '@wayquest/contracts';
import { useTranslations } from '../translations.ts';
import classes from './ResultList.module.css';
import { TypeIcon } from './TypeIcon.tsx';

interface Props {
  places: Place[];
  onChoose(place: Place): void;
}

/** The places of a type that were found, to choose from without the map. */
export function PlaceList({ places, onChoose }: Props) {
  const t = useTranslations();
  if (places.length === 0) return null;
  return (
    <ol className={classes.list} aria-label={t('placesOnMap')}>
      {places.map((place) => (
        <li key={place.id}>
          <button type="button" className={classes.place} onClick={() => onChoose(place)}>
            <TypeIcon type={place.type} />
            <strong>{place.name}</strong>
            <span>{place.vicinity}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
