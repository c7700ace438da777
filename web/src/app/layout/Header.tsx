import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconListCheck,
  IconLogin2,
  IconMap2,
  IconMessageCircle,
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
import { lazyOptional } from '../../shared/lib/lazy-loading.ts';
import { logoPath, siteName } from '../../shared/lib/site.ts';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import classes from './Header.module.css';
import navigationClasses from './Navigation.module.css';
import { useTranslations } from './translations.ts';

/** The operator's logo, or ours: a map pin whose hole is a winding path. The gateway replaces it in prerendered pages. */
export function Logo({ size = 32 }: { size?: number }) {
  if (logoPath) return <img src={logoPath} width={size} height={size} alt="" />;
  return (
    <svg data-logo width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M16 1.5C9.6 1.5 4.5 6.5 4.5 12.8 4.5 21 16 30.5 16 30.5S27.5 21 27.5 12.8C27.5 6.5 22.4 1.5 16 1.5Z"
        fill="var(--mantine-color-purple-6)"
      />
      <circle cx="16" cy="12.8" r="7.6" fill="#fffdf9" />
      <path
        d="M13 20c-1.4-3 6.8-4.2 5.6-7.2-.9-2.3-5.4-1.3-4.6-4.1.4-1.5 1.9-2.4 3.5-2.9"
        fill="none"
        stroke="#dd9233"
        strokeWidth="2.3"
        strokeLinecap="round"
      />
    </svg>
  );
}

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
const UserMenu = lazyOptional(async () => (await import('./UserMenu.tsx')).UserMenu);

const UnreadMessages = lazyOptional(async () => (await import('./UserMenu.tsx')).UnreadMessages);

const menuPlaceholder = <span className={navigationClasses.menuPlace} />;

interface Item {
  to: string;
  label: 'explore' | 'challenges' | 'leaderboard' | 'users' | 'messenger' | 'signUp' | 'logIn';
  Icon: TablerIcon;
  emphasis?: 'button';
  for?: 'visitors';
  /** On a phone the bar has room for four: Messenger is one of them, and Users is a tab beside Friends. */
  only?: 'phone' | 'desktop';
}

const everyone: Item[] = [
  { to: '/Explore', label: 'explore', Icon: IconMap2 },
  { to: '/Challenges', label: 'challenges', Icon: IconListCheck },
  { to: '/Leaderboard', label: 'leaderboard', Icon: IconTrophy },
];
const members: Item[] = [
  ...everyone,
  { to: '/Users', label: 'users', Icon: IconUsers, only: 'desktop' },
  { to: '/Messenger', label: 'messenger', Icon: IconMessageCircle, only: 'phone' },
];
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
      {(visitor ? visitors : members).map(({ to, label, Icon, emphasis, for: whom, only }) => (
        <NavLink
          key={to}
          to={to}
          className={navigationClasses.link ?? ''}
          data-emphasis={emphasis}
          data-for={whom}
          data-only={only}
        >
          <Icon className={navigationClasses.icon} size={22} stroke={1.75} aria-hidden />
          {t(label)}
          {label === 'messenger' && (
            <Suspense fallback={null}>
              <UnreadMessages />
            </Suspense>
          )}
        </NavLink>
      ))}
      {!visitor && (
        <Suspense fallback={menuPlaceholder}>
          <UserMenu />
        </Suspense>
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
          <span>{siteName}</span>
        </Link>
        <Navigation />
        <ColorSchemeButton />
      </div>
    </header>
  );
}
