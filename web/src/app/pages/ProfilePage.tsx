import { Paper } from '@mantine/core';
import { Account } from '../../features/account/Account.tsx';
import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { Profile } from '../../features/profile/routes/Profile.tsx';
import { LanguageChoice } from '../../shared/ui/LanguageChoice.tsx';
import { useCommonWords } from '../../shared/words/common.ts';
import classes from './ProfilePage.module.css';

/** The person's own page, with what they want of the messenger and the interface, and their account, below. */
export default function ProfilePage() {
  const t = useCommonWords();
  return (
    <Profile>
      <ChatSettings />
      <Paper className={classes.card ?? ''} radius="lg" component="section" aria-labelledby="language-title">
        <h2 id="language-title">{t('language')}</h2>
        <LanguageChoice />
      </Paper>
      <Account />
    </Profile>
  );
}
