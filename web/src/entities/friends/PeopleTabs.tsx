import { NavLink } from 'react-router-dom';
import classes from './PeopleTabs.module.css';
import { usePeopleTranslations } from './translations.ts';

const tabs = [
  { to: '/friends', label: 'friends' },
  { to: '/FriendsInvitation', label: 'requests' },
  { to: '/users', label: 'users' },
] as const;

/** The pages about people, on a phone, whose bar has no room for all of them. */
export function PeopleTabs() {
  const t = usePeopleTranslations();
  return (
    <nav className={classes.tabs} aria-label={t('people')}>
      {tabs.map(({ to, label }) => (
        <NavLink key={to} to={to} className={classes.tab ?? ''}>
          {t(label)}
        </NavLink>
      ))}
    </nav>
  );
}
