import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { ErrorBoundary } from '../../../shared/ui/ErrorBoundary.tsx';
import { useWords } from '../words.ts';
import classes from './Board.module.css';
import { BoardSkeleton, TilesSkeleton } from './BoardSkeleton.tsx';

const MemberBoard = lazy(() => import('./MemberBoard.tsx'));
const VisitorBoard = lazy(() => import('./VisitorBoard.tsx'));

/** For a visitor it comes when it comes near: the first page is there before it is asked for. */
function OpenNow() {
  const t = useWords();
  const ref = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([place]) => setNear((was) => was || !!place?.isIntersecting), {
      rootMargin: '400px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section ref={ref} aria-labelledby="open-now-title" className={classes.open} data-for="visitors">
      <h2 id="open-now-title" className={classes.title}>
        {t('openNow')}
      </h2>
      {isNear ? (
        <Suspense fallback={<TilesSkeleton />}>
          <VisitorBoard />
        </Suspense>
      ) : (
        <TilesSkeleton />
      )}
    </section>
  );
}

/** What there is to do, for whoever looks. */
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
