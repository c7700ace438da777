import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { Account } from '../../features/account/Account.tsx';
import { BlockedPeople } from '../../features/blocks/BlockedPeople.tsx';
import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { PrivacySettings } from '../../features/privacy/PrivacySettings.tsx';
import { useCelebration } from '../../features/profile/components/use-celebration.ts';
import { Profile } from '../../features/profile/routes/Profile.tsx';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { lazyPart } from '../../shared/lib/lazy-extra.ts';
import { ErrorBoundary } from '../../shared/ui/ErrorBoundary.tsx';
import { LanguageChoice } from '../../shared/ui/LanguageChoice.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useCommonWords } from '../../shared/words/common.ts';

const Finish = lazyPart(() => import('../../features/finish/Finish.tsx'));

/** The person's own page, with what they want of the messenger and the interface, and their account, below. */
export default function ProfilePage() {
  const t = useCommonWords();
  const celebration = useCelebration();
  const user = useSelector(selectUser);
  return (
    <>
      <Profile celebration={celebration}>
        {user && <TrailBook userId={user.id} />}
        <ChatSettings />
        <Section titleId="language-title" title={t('language')}>
          <LanguageChoice />
        </Section>
        <PrivacySettings />
        <BlockedPeople />
        <Account />
      </Profile>
      {celebration && (
        <ErrorBoundary instead={null}>
          <Suspense>
            <Finish collected={celebration} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
