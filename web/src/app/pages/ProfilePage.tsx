import { Account } from '../../features/account/Account.tsx';
import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { Profile } from '../../features/profile/routes/Profile.tsx';
import { LanguageChoice } from '../../shared/ui/LanguageChoice.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useCommonWords } from '../../shared/words/common.ts';

/** The person's own page, with what they want of the messenger and the interface, and their account, below. */
export default function ProfilePage() {
  const t = useCommonWords();
  return (
    <Profile>
      <ChatSettings />
      <Section titleId="language-title" title={t('language')}>
        <LanguageChoice />
      </Section>
      <Account />
    </Profile>
  );
}
