import type { Stamp } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { PlacePicture } from '../../entities/challenges/pictures/PlacePicture.tsx';
import { longDay } from '../../shared/lib/days.ts';
import classes from './TrailBook.module.css';
import { useTranslations } from './translations.ts';

/** A completed challenge with its date; the whole item links to its page. */
export function StampItem({ stamp, mine }: { stamp: Stamp; mine: boolean }) {
  const t = useTranslations();
  const { challengeId, name, day, own } = stamp;
  return (
    <li className={classes.stamp} data-own={own || undefined}>
      <div className={classes.ring}>
        <div className={classes.picture}>
          <PlacePicture challenge={{ ...stamp, id: challengeId }} />
        </div>
      </div>
      <Link to={`/challenges/${challengeId}`}>{name}</Link>
      <span className={classes.day}>{longDay(day)}</span>
      {own && <span className={classes.own}>{t(mine ? 'yourOne' : 'ownOne')}</span>}
    </li>
  );
}
