import type { ReactNode } from 'react';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';
import { NoticeBar } from './NoticeBar.tsx';
import { SessionBar } from './SessionBar.tsx';
import { useTranslations } from './translations.ts';
import { useScrollToTop } from './use-scroll-to-top.ts';

/** What surrounds every page. */
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
