import { IconRoute } from '@tabler/icons-react';
import { metresBetween, type Position } from '@wayquest/contracts';
import { useMemo } from 'react';
import { distanceInWords } from '../../../entities/challenges/distance.ts';
import { onMap } from '../../../entities/challenges/on-map.ts';
import { SmallMap } from '../../../shared/map/SmallMap.tsx';
import { useKnownPosition } from '../../../shared/ui/use-known-position.ts';
import { directionsTo } from '../directions.ts';
import { useTranslations } from '../translations.ts';
import classes from './ChallengePlace.module.css';

interface Props {
  challenge: { id: number; name: string };
  position: Position;
}

/** The place of a challenge: on a small map, with its distance and a link to directions. */
export function ChallengePlace({ challenge: { id, name }, position }: Props) {
  const t = useTranslations();
  const known = useKnownPosition();
  const { lat, lng } = position;
  const directions = directionsTo(position, name, navigator.userAgent);
  const spots = useMemo(
    () => [{ id, name, position: { lat, lng }, to: onMap({ lat, lng }, 15, id) }],
    [id, name, lat, lng],
  );
  return (
    <section className={classes.place} aria-label={t('place')}>
      <div className={classes.map}>
        <SmallMap label={t('placeMap')} spots={spots} toSeveral={onMap} />
      </div>
      <p>
        <a
          href={directions}
          {...(directions.startsWith('https:') && { target: '_blank', rel: 'noreferrer' })}
        >
          <IconRoute size={20} stroke={1.75} aria-hidden />
          {t('directions')}
        </a>
        {known && <span>{t('away', { distance: distanceInWords(metresBetween(known, position)) })}</span>}
      </p>
    </section>
  );
}
