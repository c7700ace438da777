import { Button } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { catalogue } from '../../../shared/i18n/catalogue.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import english from '../../../shared/i18n/en/home.ts';
import { lazyComponent } from '../../../shared/lib/lazy-loading.ts';
import { Drawing } from '../../../shared/ui/Drawing.tsx';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { useIsNearViewport } from '../../../shared/ui/use-is-near-viewport.ts';
import boardClasses from '../components/Board.module.css';
import { BoardSkeleton, VisitorSkeleton } from '../components/BoardSkeleton.tsx';
import heroClasses from '../components/Hero.module.css';
import landscapeClasses from '../components/Landscape.module.css';
import landscape from '../components/pictures/landscape.svg?raw';
import map from '../components/pictures/map.svg?raw';
import podium from '../components/pictures/podium.svg?raw';
import street from '../components/pictures/street.svg?raw';
import storyClasses from '../components/Story.module.css';
import classes from './Home.module.css';

const { useTranslations } = catalogue('home', english);

interface StoryProps {
  title: string;
  /** The text of an SVG file. */
  picture: string;
  children: ReactNode;
}

/** A section of the home page: text on one side, a picture on the other. */
function Story({ title, picture, children }: StoryProps) {
  return (
    <section className={storyClasses.story}>
      <div className={storyClasses.picture}>
        <Drawing file={picture} />
      </div>
      <div className={storyClasses.words}>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
    </section>
  );
}

function Hero() {
  const t = useTranslations();
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <section className={heroClasses.hero} data-compact={!visitor || undefined}>
      <div className={heroClasses.inner}>
        <div className={heroClasses.words}>
          <PageTitle tab={t('tab')} className={heroClasses.title ?? ''}>
            {t('title')}
          </PageTitle>
          <p className={heroClasses.lead}>{t('lead')}</p>
          <div className={heroClasses.actions}>
            <Button component={Link} to="/explore" size="lg" variant={visitor ? 'filled' : 'default'}>
              {t('start')}
            </Button>
            {visitor && (
              <Button component={Link} to="/signup" size="lg" variant="default" data-for="visitors">
                {t('signUp')}
              </Button>
            )}
          </div>
        </div>
      </div>
      {/* After the text: a page that arrives in pieces would render it first, and move it when the text arrives. */}
      <Drawing file={landscape} className={landscapeClasses.landscape} preserveAspectRatio="xMidYMax meet" />
    </section>
  );
}

const MemberBoard = lazyComponent(() => import('../components/MemberBoard.tsx'));
const VisitorBoard = lazyComponent(() => import('../components/VisitorBoard.tsx'));

/** For visitors it is loaded when it is near the viewport, so that it does not delay the first page. */
function OpenNow() {
  const t = useTranslations();
  const { ref, isNearViewport } = useIsNearViewport<HTMLElement>('400px');
  return (
    <section ref={ref} aria-labelledby="open-now-title" className={boardClasses.open} data-for="visitors">
      <h2 id="open-now-title" className={boardClasses.title}>
        {t('openNow')}
      </h2>
      {isNearViewport ? (
        <Suspense fallback={<VisitorSkeleton />}>
          <VisitorBoard />
        </Suspense>
      ) : (
        <VisitorSkeleton />
      )}
    </section>
  );
}

/** Instead of a board that could not be loaded. */
function BoardFailure() {
  const t = useCommonTranslations();
  return <Failure onRetry={() => location.reload()}>{t('unreachable')}</Failure>;
}

/** Challenges and activity, for visitors or members. */
function Board() {
  const status = useSelector(selectAuthStatus);
  if (status === 'failed') return null;
  return (
    <ErrorBoundary fallback={<BoardFailure />}>
      {status === 'visitor' && <OpenNow />}
      {status === 'starting' && <BoardSkeleton />}
      {status === 'member' && (
        <Suspense fallback={<BoardSkeleton />}>
          <MemberBoard />
        </Suspense>
      )}
    </ErrorBoundary>
  );
}

/** What Wayquest is about: open for visitors, folded for members, who know. */
function Stories() {
  const t = useTranslations();
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  const stories = (
    <div className={classes.stories}>
      <Story title={t('make')} picture={map}>
        {t('makeDescription')}
      </Story>
      <Story title={t('compete')} picture={podium}>
        {t('competeDescription')}
      </Story>
      <Story title={t('explore')} picture={street}>
        {t('exploreDescription')}
      </Story>
    </div>
  );
  if (visitor) return stories;
  return (
    <details className={classes.folded}>
      <summary>{t('about')}</summary>
      {stories}
    </details>
  );
}

export default function Home() {
  return (
    <>
      <Hero />
      <Page>
        <Board />
        <Stories />
      </Page>
    </>
  );
}
