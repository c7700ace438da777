import { Link } from 'react-router-dom';
import { LanguageChoice } from '../../shared/ui/LanguageChoice.tsx';
import { Logo } from '../../shared/ui/Logo.tsx';
import classes from './Footer.module.css';
import { useWords } from './words.ts';

export function Footer() {
  const t = useWords();
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
