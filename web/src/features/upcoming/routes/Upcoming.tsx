import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { PathPicture } from '../components/PathPicture.tsx';
import type { UpcomingPart } from '../upcoming.ts';
import classes from './Upcoming.module.css';

/** Stands at the address of a part that is still to come, says what it will be and leads back. */
export default function Upcoming({ part }: { part: UpcomingPart }) {
  return (
    <Page width="medium">
      <div className={classes.card}>
        <PathPicture />
        <div className={classes.words}>
          <p className={classes.state}>This part is being built</p>
          <PageTitle key={part.title}>{part.title}</PageTitle>
          <p className={classes.promise}>{part.promise}</p>
          <div className={classes.actions}>
            <Button component={Link} to="/challenges">
              See the challenges
            </Button>
            <Button component={Link} to="/home" variant="default">
              Back home
            </Button>
          </div>
        </div>
      </div>
    </Page>
  );
}
