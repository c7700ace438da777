import type { LeaderboardPage } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Podium.module.css';

const places = ['first', 'second', 'third'] as const;

/** The first three people. */
export function Podium({ people }: { people: LeaderboardPage['podium'] }) {
  const t = useTranslations();
  const common = useCommonTranslations();
  if (people.length === 0) return null;
  return (
    <ol className={classes.podium} aria-label={t('podium')}>
      {people.map((user, index) => (
        <li key={user.id} className={classes.place} data-place={index + 1}>
          <UserAvatar user={user} size={index === 0 ? 92 : 72} className={classes.avatar ?? ''} />
          <Link to={`/users/${user.id}`} className={classes.name} title={user.username}>
            {user.username}
          </Link>
          <div className={classes.step}>
            <span className={classes.ordinal}>{t(places[index] ?? 'third')}</span>
            <span className={classes.points}>{common('points', { count: user.points })}</span>
          </div>
        </li>
      ))}
    </ol>
  );
}
