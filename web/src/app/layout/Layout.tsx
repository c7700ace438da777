import { type ReactNode, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation, useNavigationType } from 'react-router-dom';
import { selectAuthStatus, sessionRetryRequested } from '../../entities/auth/slice.ts';
import { LanguageChoice } from '../../shared/ui/ChoiceButtons.tsx';
import { Logo } from '../../shared/ui/Logo.tsx';
import footerClasses from './Footer.module.css';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';
import { NoticeBar } from './NoticeBar.tsx';
import sessionBarClasses from './SessionBar.module.css';
import { useTranslations } from './translations.ts';

/** A new page begins at its top; going back is left to the browser. */
function useScrollToTop() {
  const { pathname, hash } = useLocation();
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what this waits for
  useEffect(() => {
    if (!back && !hash) scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname]);
}

function Footer() {
  const t = useTranslations();
  return (
    <footer className={footerClasses.footer}>
      <div className={footerClasses.inner}>
        <Logo size={24} />
        <p>{t('credits')}</p>
        <Link to="/libraries">{t('libraries')}</Link>
        <LanguageChoice />
      </div>
    </footer>
  );
}

/** Shows that the session could not be loaded, and retries on each page; `trackNetwork` does once the network is back. */
function SessionBar() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const isFailed = useSelector(selectAuthStatus) === 'failed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page loads it again
  useEffect(() => {
    dispatch(sessionRetryRequested());
  }, [dispatch, pathname]);
  return (
    <div className={sessionBarClasses.bar} role="status">
      {isFailed && <p>{t('accountAway')}</p>}
    </div>
  );
}

/** The frame of every page. */
export function Layout({ children }: { children: ReactNode }) {
  const t = useTranslations();
  useScrollToTop();
  return (
    <div className={classes.layout}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <Header />
      <SessionBar />
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <NoticeBar />
      <Footer />
    </div>
  );
}
