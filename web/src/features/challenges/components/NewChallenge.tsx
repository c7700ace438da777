import { Button, Paper, Skeleton, Text } from '@mantine/core';
import { Suspense, useId } from 'react';
import { lazyPart } from '../../../shared/lib/lazy-extra.ts';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useTranslations } from '../translations.ts';
import classes from './NewChallenge.module.css';

const NewChallengeForm = lazyPart(() => import('./NewChallengeForm.tsx'));

interface Props {
  open: boolean;
  onToggle(): void;
}

/** The section with the form for a new challenge, folded until it is wanted. */
export function NewChallenge({ open, onToggle }: Props) {
  const t = useTranslations();
  const formId = useId();
  return (
    <section className={classes.section} id="add-a-challenge" aria-labelledby="add-a-challenge-title">
      <Paper className={classes.card} radius="lg">
        <div className={classes.head}>
          <div>
            <h2 id="add-a-challenge-title">{t('add')}</h2>
            <Text c="dimmed">{t('addLead')}</Text>
          </div>
          <Button variant="default" aria-expanded={open} aria-controls={formId} onClick={onToggle}>
            {t(open ? 'hideForm' : 'showForm')}
          </Button>
        </div>
        <div id={formId}>
          {open && (
            <Suspense
              fallback={
                <Pending>
                  <Skeleton height={640} mt={24} />
                </Pending>
              }
            >
              <NewChallengeForm />
            </Suspense>
          )}
        </div>
      </Paper>
    </section>
  );
}
