import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { lazyPart } from '../../../shared/lib/lazy-extra.ts';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { useInSight } from '../../../shared/ui/use-in-sight.ts';
import { useTranslations } from '../translations.ts';
import classes from './Board.module.css';
import { BoardSkeleton, VisitorSkeleton } from './BoardSkeleton.tsx';

const MemberBoard = lazyPart(() => import('./MemberBoard.tsx'));
const VisitorBoard = lazyPart(() => import('./VisitorBoard.tsx'));

/** For visitors it is loaded when it is near the viewport, so that it does not delay the first page. */
function OpenNow() {
  const t = useTranslations();
  const { ref, isInSight } = useInSight<HTMLElement>('400px');
  return (
    <section ref={ref} aria-labelledby="open-now-title" className={classes.open} data-for="visitors">
      <h2 id="open-now-title" className={classes.title}>
        {t('openNow')}
      </h2>
      {isInSight ? (
        <Suspense fallback={<VisitorSkeleton />}>
          <VisitorBoard />
        </Suspense>
      ) : (
        <VisitorSkeleton />
      )}
    </section>
  );
}

/** Challenges and activity, for visitors or members. */
export function Board() {
  const status = useSelector(selectAuthStatus);
  if (status === 'failed') return null;
  return (
    <ErrorBoundary instead={null}>
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
