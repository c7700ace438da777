import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { ProfileCard } from '../../features/profile/components/ProfileCard.tsx';
import { ProfileForm } from '../../features/profile/components/ProfileForm.tsx';
import { celebrationShown, selectCelebration } from '../../features/profile/slice.ts';
import { useTranslations } from '../../features/profile/translations.ts';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { lazyComponent } from '../../shared/lib/lazy-loading.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import { Page } from '../../shared/ui/Page.tsx';

/** Returns the points that were just earned, once per visit to the page. */
function useCelebration() {
  const dispatch = useDispatch();
  const [celebration] = useState(useSelector(selectCelebration));
  useEffect(() => {
    dispatch(celebrationShown());
  }, [dispatch]);
  return celebration;
}

const Completion = lazyComponent(() => import('../../features/completion/Completion.tsx'));

/** The member's profile with their trail book. */
export default function ProfilePage() {
  const t = useTranslations();
  const celebration = useCelebration();
  const user = useSelector(selectUser);
  const { hash } = useLocation();
  // Links in mails and notifications of older versions lead here.
  if (/^#(link|problem|data-title)/.test(hash)) return <Navigate to={`/settings${hash}`} replace />;
  return (
    <>
      {user && (
        <Page width="medium">
          <ProfileCard user={user} celebration={celebration} />
          <Button
            component={Link}
            to="/settings"
            variant="default"
            my={20}
            leftSection={<IconSettings size={18} aria-hidden />}
          >
            {t('settings')}
          </Button>
          <ProfileForm user={user} />
          <TrailBook userId={user.id} />
        </Page>
      )}
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
