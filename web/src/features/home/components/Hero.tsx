import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import classes from './Hero.module.css';
import { Landscape } from './Landscape.tsx';

export function Hero() {
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <section className={classes.hero}>
      <Landscape />
      <div className={classes.inner}>
        <div className={classes.words}>
          <PageTitle tab="Explore your world" className={classes.title ?? ''}>
            Challenge Yourself to Explore Your World
          </PageTitle>
          <p className={classes.lead}>
            Real places near you, a reason to go there, and points for getting there. The next one is closer
            than you think.
          </p>
          <div className={classes.actions}>
            <Button component={Link} to="/explore" size="lg">
              Start Exploring
            </Button>
            {visitor && (
              <Button component={Link} to="/signup" size="lg" variant="default">
                Create an Account
              </Button>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
