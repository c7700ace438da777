import {
  IconListCheck,
  IconLogin2,
  IconMap2,
  IconTrophy,
  IconUserPlus,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { NavLink } from 'react-router-dom';
import { selectAuthStatus } from '../../entities/auth/selectors.ts';
import { lazyPart } from '../../shared/lib/lazy-extra.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import classes from './Navigation.module.css';
import { useTranslations } from './translations.ts';

/** Visitors never load it. */
const UserMenu = lazyPart(() => import('./UserMenu.tsx'));

const menuPlace = <span className={classes.menuPlace} />;

interface Item {
  to: string;
  label: 'explore' | 'challenges' | 'leaderboard' | 'users' | 'signUp' | 'logIn';
  Icon: TablerIcon;
  emphasis?: 'button';
  for?: 'visitors';
}

const everyone: Item[] = [
  { to: '/Explore', label: 'explore', Icon: IconMap2 },
  { to: '/Challenges', label: 'challenges', Icon: IconListCheck },
  { to: '/Leaderboard', label: 'leaderboard', Icon: IconTrophy },
];
const members: Item[] = [...everyone, { to: '/Users', label: 'users', Icon: IconUsers }];
const visitors: Item[] = [
  ...everyone,
  { to: '/signup', label: 'signUp', Icon: IconUserPlus, emphasis: 'button', for: 'visitors' },
  { to: '/login', label: 'logIn', Icon: IconLogin2, for: 'visitors' },
];

/** The spec's links, for visitors or members. */
export function Navigation() {
  const t = useTranslations();
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <nav className={classes.nav} aria-label={t('main')}>
      {(visitor ? visitors : members).map(({ to, label, Icon, emphasis, for: whom }) => (
        <NavLink key={to} to={to} className={classes.link ?? ''} data-emphasis={emphasis} data-for={whom}>
          <Icon className={classes.icon} size={22} stroke={1.75} aria-hidden />
          {t(label)}
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
