import { Link } from 'react-router-dom';
import { LanguageChoice } from '../../shared/ui/LanguageChoice.tsx';
import { Logo } from '../../shared/ui/Logo.tsx';
import classes from './Footer.module.css';
import { useTranslations } from './translations.ts';

export function Footer() {
  const t = useTranslations();
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <Logo size={24} />
        <p>{t('credits')}</p>
        <Link to="/libraries">{t('libraries')}</Link>
        <LanguageChoice />
      </div>
    </footer>
  );
}
