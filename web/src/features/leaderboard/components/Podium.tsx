import type { LeaderboardPage } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import classes from './Podium.module.css';

const places = ['1st', '2nd', '3rd'];

/** The first three. */
export function Podium({ people }: { people: LeaderboardPage['podium'] }) {
  if (people.length === 0) return null;
  return (
    <ol className={classes.podium} aria-label="Podium">
      {people.map((user, index) => (
        <li key={user.id} className={classes.place} data-place={index + 1}>
          <UserAvatar user={user} size={index === 0 ? 92 : 72} className={classes.avatar ?? ''} />
          <Link to={`/users/${user.id}`} className={classes.name} title={user.username}>
            {user.username}
          </Link>
          <div className={classes.step}>
            <span className={classes.ordinal}>{places[index]}</span>
            <span className={classes.points}>{user.points} points</span>
          </div>
        </li>
      ))}
    </ol>
  );
}
