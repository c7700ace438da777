import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconListCheck,
  IconLogin2,
  IconMap2,
  IconMoon,
  IconSun,
  IconTrophy,
  IconUserPlus,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { selectAuthStatus } from '../../entities/auth/slice.ts';
import { lazyComponent } from '../../shared/lib/lazy-loading.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Logo } from '../../shared/ui/Logo.tsx';
import classes from './Header.module.css';
import navigationClasses from './Navigation.module.css';
import { useTranslations } from './translations.ts';

/** Toggles the color scheme; the device's setting applies until then. */
function ColorSchemeButton() {
  const t = useTranslations();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme() === 'dark';
  const Icon = dark ? IconSun : IconMoon;
  return (
    <IconButton
      aria-label={t(dark ? 'lightTheme' : 'darkTheme')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
    </IconButton>
  );
}

/** Visitors never load it. */
const UserMenu = lazyComponent(() => import('./UserMenu.tsx'));

const menuPlaceholder = <span className={navigationClasses.menuPlace} />;

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
function Navigation() {
  const t = useTranslations();
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <nav className={navigationClasses.nav} aria-label={t('main')}>
      {(visitor ? visitors : members).map(({ to, label, Icon, emphasis, for: whom }) => (
        <NavLink
          key={to}
          to={to}
          className={navigationClasses.link ?? ''}
          data-emphasis={emphasis}
          data-for={whom}
        >
          <Icon className={navigationClasses.icon} size={22} stroke={1.75} aria-hidden />
          {t(label)}
        </NavLink>
      ))}
      {!visitor && (
        <ErrorBoundary fallback={menuPlaceholder}>
          <Suspense fallback={menuPlaceholder}>
            <UserMenu />
          </Suspense>
        </ErrorBoundary>
      )}
    </nav>
  );
}

/** The bar at the top; on a phone its links become the bar at the bottom. */
export function Header() {
  const t = useTranslations();
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Link to="/home" className={classes.brand} aria-label={t('home')}>
          <Logo />
          <span>Wayquest</span>
        </Link>
        <Navigation />
        <ColorSchemeButton />
      </div>
    </header>
  );
}
