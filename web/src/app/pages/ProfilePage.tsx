import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, useLocation } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { useCelebration } from '../../features/profile/components/use-celebration.ts';
import { Profile } from '../../features/profile/routes/Profile.tsx';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { lazyComponent } from '../../shared/lib/lazy-loading.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';

const Completion = lazyComponent(() => import('../../features/completion/Completion.tsx'));

/** The person's own page: who they are to others, and where they have been. */
export default function ProfilePage() {
  const celebration = useCelebration();
  const user = useSelector(selectUser);
  const { hash } = useLocation();
  // Links in mails and notifications of older versions lead here.
  if (/^#(link|problem|data-title)/.test(hash)) return <Navigate to={`/settings${hash}`} replace />;
  return (
    <>
      <Profile celebration={celebration}>{user && <TrailBook userId={user.id} />}</Profile>
      {celebration && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <Completion collected={celebration} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
