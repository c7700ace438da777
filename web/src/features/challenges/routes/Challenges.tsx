import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { useHashScroll } from '../../../shared/ui/use-hash-scroll.ts';
import { selectAuthStatus } from '../../auth/selectors.ts';
import { selectLinesState } from '../../challenge-lines/selectors.ts';
import { AllChallenges } from '../components/AllChallenges.tsx';
import { NewChallenge } from '../components/NewChallenge.tsx';
import { YourChallenges } from '../components/YourChallenges.tsx';
import { selectListState } from '../selectors.ts';
import classes from './Challenges.module.css';

export default function Challenges() {
  const member = useSelector(selectAuthStatus) === 'member';
  const listed = useSelector(selectListState) === 'ready';
  const lined = useSelector(selectLinesState) === 'ready';
  useHashScroll(listed && lined);
  return (
    <Page>
      <div className={classes.head}>
        <div>
          <PageTitle>Challenges</PageTitle>
          <p className={classes.lead}>Pick a place, go there, collect the points.</p>
        </div>
        {member && (
          <div className={classes.anchors}>
            <Button component="a" href="#your-challenges" variant="default">
              Your Challenges
            </Button>
            <Button component="a" href="#add-a-challenge">
              Add a Challenge
            </Button>
          </div>
        )}
      </div>
      <AllChallenges />
      {member && <YourChallenges />}
      {member && <NewChallenge />}
    </Page>
  );
}
