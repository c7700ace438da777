import {
  IconListCheck,
  IconLogin2,
  IconMap2,
  IconTrophy,
  IconUserPlus,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router-dom';
import { selectAuthStatus } from '../../entities/auth/selectors.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import classes from './Navigation.module.css';

/** Visitors never load it. */
const UserMenu = lazy(() => import('./UserMenu.tsx'));

const menuPlace = <span className={classes.menuPlace} />;

interface Item {
  to: string;
  label: string;
  Icon: TablerIcon;
  emphasis?: 'button';
}

const everyone: Item[] = [
  { to: '/Explore', label: 'Explore', Icon: IconMap2 },
  { to: '/Challenges', label: 'Challenges', Icon: IconListCheck },
  { to: '/Leaderboard', label: 'Leaderboard', Icon: IconTrophy },
];
const members: Item[] = [...everyone, { to: '/Users', label: 'Users', Icon: IconUsers }];
const visitors: Item[] = [
  ...everyone,
  { to: '/signup', label: 'Sign Up', Icon: IconUserPlus, emphasis: 'button' },
  { to: '/login', label: 'Log In', Icon: IconLogin2 },
];

/** The spec's links for whoever looks at it. */
export function Navigation() {
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <nav className={classes.nav} aria-label="Main">
      {(visitor ? visitors : members).map(({ to, label, Icon, emphasis }) => (
        <NavLink key={to} to={to} className={classes.link ?? ''} data-emphasis={emphasis}>
          <Icon className={classes.icon} size={22} stroke={1.75} aria-hidden />
          {label}
        </NavLink>
      ))}
      {!visitor && (
        <ErrorBoundary instead={menuPlace}>
          <Suspense fallback={menuPlace}>
            <UserMenu />
          </Suspense>
        </ErrorBoundary>
      )}
    </nav>
  );
}
