import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { useFormDraft } from '../../../entities/auth/form-draft.ts';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { selectLinesState } from '../../../entities/challenge-lines/selectors.ts';
import { selectListState } from '../../../entities/challenges/selectors.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { useHashScroll } from '../../../shared/ui/use-hash-scroll.ts';
import { AllChallenges } from '../components/AllChallenges.tsx';
import { CardGridSkeleton } from '../components/CardGrid.tsx';
import { NewChallenge } from '../components/NewChallenge.tsx';
import { YourChallenges } from '../components/YourChallenges.tsx';
import { newChallengeDraft } from '../new-challenge-draft.ts';
import { useTranslations } from '../translations.ts';
import classes from './Challenges.module.css';

export default function Challenges() {
  const t = useTranslations();
  const { hash } = useLocation();
  const status = useSelector(selectAuthStatus);
  const member = status === 'member';
  const list = useSelector(selectListState);
  const lines = useSelector(selectLinesState);
  const { read } = useFormDraft(newChallengeDraft);
  /** Whether the form is open; by default if the URL or a draft requires it. */
  const [chosen, setChosen] = useState<boolean>();
  const adding = chosen ?? (hash === '#add-a-challenge' || read() !== undefined);
  // Shown together: own challenges that are loaded later would move the list.
  const isShown =
    status === 'visitor' || status === 'failed' || (member && lines !== 'idle' && lines !== 'loading');
  useHashScroll(list === 'ready' && isShown);
  return (
    <Page>
      <div className={classes.head}>
        <div>
          <PageTitle>{t('title')}</PageTitle>
          <p className={classes.lead}>{t('lead')}</p>
        </div>
        {/* Who is likely a member finds them at once: coming later they would move the list. */}
        {(member || status === 'starting') && (
          <div className={classes.anchors}>
            <Button component="a" href="#your-challenges" variant="default">
              {t('yours')}
            </Button>
            <Button component="a" href="#add-a-challenge" onClick={() => setChosen(true)}>
              {t('add')}
            </Button>
          </div>
        )}
      </div>
      {!isShown && <CardGridSkeleton />}
      <div hidden={!isShown}>
        {member && <YourChallenges />}
        {member && <NewChallenge open={adding} onToggle={() => setChosen(!adding)} />}
        <AllChallenges isShown={isShown} />
      </div>
    </Page>
  );
}
