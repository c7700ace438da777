import { Link } from 'react-router-dom';
import { Logo } from '../../shared/ui/Logo.tsx';
import { ColorSchemeButton } from './ColorSchemeButton.tsx';
import classes from './Header.module.css';
import { Navigation } from './Navigation.tsx';
import { useTranslations } from './translations.ts';

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
