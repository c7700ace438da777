import { MantineProvider } from '@mantine/core';
import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { BrowserRouter, Link, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { selectAuthStatus, sessionRetryRequested } from '../entities/auth/slice.ts';
import { currentLanguage } from '../shared/i18n/catalogue.ts';
import { lazyOptional } from '../shared/lib/lazy-loading.ts';
import type { Navigator } from '../shared/lib/navigator.ts';
import { sitePages } from '../shared/lib/site.ts';
import { resolveVariables, theme } from '../shared/theme/theme.tsx';
import { LanguageChoice } from '../shared/ui/ChoiceButtons.tsx';
import footerClasses from './layout/Footer.module.css';
import { Header, Logo } from './layout/Header.tsx';
import classes from './layout/Layout.module.css';
import { NoticeBar } from './layout/NoticeBar.tsx';
import sessionBarClasses from './layout/SessionBar.module.css';
import { useTranslations } from './layout/translations.ts';
import { AppRoutes } from './routes.tsx';
import type { Store } from './store.ts';

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
  // A placeholder of the build, which the gateway replaces.
  const pages = import.meta.env.SSR
    ? '__SITE_PAGES__'
    : sitePages[currentLanguage()]?.map(({ name, title, lang }) => (
        <Link key={name} to={`/${name}`} lang={lang}>
          {title}
        </Link>
      ));
  return (
    <footer className={footerClasses.footer}>
      <div className={footerClasses.pages}>{pages}</div>
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

/** Visitors never load it. */
const UnsentBar = lazyOptional(async () => (await import('./layout/UnsentBar.tsx')).UnsentBar);

function MemberBar() {
  const isMember = useSelector(selectAuthStatus) === 'member';
  return (
    isMember && (
      <Suspense fallback={null}>
        <UnsentBar />
      </Suspense>
    )
  );
}

/** The frame of every page. */
function Layout({ children }: { children: ReactNode }) {
  const t = useTranslations();
  useScrollToTop();
  return (
    <div className={classes.layout}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <Header />
      <SessionBar />
      <MemberBar />
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <NoticeBar />
      <Footer />
    </div>
  );
}

/** The nonce by which this page's content security policy allows style elements. */
function styleNonce(): string {
  // A placeholder of the build, which the gateway replaces.
  if (import.meta.env.SSR) return '__CSP_NONCE__';
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}

/** Lets sagas navigate by the router. */
function SagaNavigation({ navigator }: { navigator: Navigator }) {
  const navigate = useNavigate();
  useEffect(() => navigator.attach((to) => void navigate(to)), [navigator, navigate]);
  return null;
}

interface Props {
  store: Store;
  navigator: Navigator;
  /** Provides the address, if there is no address bar. */
  Router?: ComponentType<{ children: ReactNode }>;
}

export function App({ store, navigator, Router = BrowserRouter }: Props) {
  return (
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Router>
          <SagaNavigation navigator={navigator} />
          <Layout>
            <AppRoutes />
          </Layout>
        </Router>
      </MantineProvider>
    </Provider>
  );
}
