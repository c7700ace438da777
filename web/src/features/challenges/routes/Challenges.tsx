import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { selectLinesState } from '../../../entities/challenge-lines/selectors.ts';
import { selectListState } from '../../../entities/challenges/selectors.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { useHashScroll } from '../../../shared/ui/use-hash-scroll.ts';
import { AllChallenges } from '../components/AllChallenges.tsx';
import { NewChallenge } from '../components/NewChallenge.tsx';
import { YourChallenges } from '../components/YourChallenges.tsx';
import { useWords } from '../words.ts';
import classes from './Challenges.module.css';

export default function Challenges() {
  const t = useWords();
  const status = useSelector(selectAuthStatus);
  const member = status === 'member';
  const list = useSelector(selectListState);
  const lines = useSelector(selectLinesState);
  const listing = list === 'idle' || list === 'loading';
  const lining = lines === 'idle' || lines === 'loading';
  useHashScroll(list === 'ready' && lines === 'ready');
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
            <Button component="a" href="#add-a-challenge">
              {t('add')}
            </Button>
          </div>
        )}
      </div>
      <AllChallenges />
      {/* Shown once what stands above them is there: until then they would only move. */}
      {member && (
        <div hidden={listing}>
          <YourChallenges />
        </div>
      )}
      {member && (
        <div hidden={listing || lining}>
          <NewChallenge />
        </div>
      )}
    </Page>
  );
}
