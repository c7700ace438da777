import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconPencil, IconSettings } from '@tabler/icons-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useDispatch, useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { useFormDraft } from '../../entities/auth/form-draft.ts';
import { selectUser } from '../../entities/auth/slice.ts';
import { ProfileCard } from '../../features/profile/components/ProfileCard.tsx';
import { ProfileForm, profileDraft } from '../../features/profile/components/ProfileForm.tsx';
import { celebrationShown, selectCelebration } from '../../features/profile/slice.ts';
import { useTranslations } from '../../features/profile/translations.ts';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { lazyComponent } from '../../shared/lib/lazy-loading.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import { Page } from '../../shared/ui/Page.tsx';
import { useHashScroll } from '../../shared/ui/scroll-position.ts';

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

/** The member's profile with their trail book, and the form to edit it. */
export default function ProfilePage() {
  const t = useTranslations();
  const celebration = useCelebration();
  const user = useSelector(selectUser);
  const { hash } = useLocation();
  const { read } = useFormDraft(profileDraft);
  /** Whether the form is open; by default if the URL or a draft requires it. */
  const [chosen, setChosen] = useState<boolean>();
  const isEditing = chosen ?? (hash === '#update-title' || read() !== undefined);
  const editButton = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    flushSync(() => setChosen(!isEditing));
    document.getElementById('update-title')?.scrollIntoView();
  };
  const close = () => {
    setChosen(false);
    editButton.current?.focus();
  };
  useHashScroll(true);
  // Links in mails and notifications of older versions lead here.
  if (/^#(link|problem|data-title)/.test(hash)) return <Navigate to={`/settings${hash}`} replace />;
  return (
    <>
      {user && (
        <Page width="medium">
          <ProfileCard user={user} celebration={celebration}>
            <Button
              ref={editButton}
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
              aria-expanded={isEditing}
              onClick={toggle}
            >
              {t('edit')}
            </Button>
            <Button
              component={Link}
              to="/settings"
              variant="default"
              leftSection={<IconSettings size={18} aria-hidden />}
            >
              {t('settings')}
            </Button>
          </ProfileCard>
          {isEditing && <ProfileForm user={user} onSaved={close} />}
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
