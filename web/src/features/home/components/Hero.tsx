import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Hero.module.css';
import { Landscape } from './Landscape.tsx';

export function Hero() {
  const t = useTranslations();
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  return (
    <section className={classes.hero} data-compact={!visitor || undefined}>
      <div className={classes.inner}>
        <div className={classes.words}>
          <PageTitle tab={t('tab')} className={classes.title ?? ''}>
            {t('title')}
          </PageTitle>
          <p className={classes.lead}>{t('lead')}</p>
          <div className={classes.actions}>
            <Button component={Link} to="/explore" size="lg">
              {t('start')}
            </Button>
            {visitor && (
              <Button component={Link} to="/signup" size="lg" variant="default" data-for="visitors">
                {t('signUp')}
              </Button>
            )}
          </div>
        </div>
      </div>
      {/* After the text: a page that arrives in pieces would render it first, and move it when the text arrives. */}
      <Landscape />
    </section>
  );
}
