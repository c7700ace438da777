import { Button, Paper, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useKeptForm } from '../../../entities/auth/form-draft.ts';
import { selectCreateError, selectCreating } from '../../../entities/challenges/selectors.ts';
import { challengeSubmitted } from '../../../entities/challenges/slice.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { emptyForm, isComplete } from '../form.ts';
import { useWords } from '../words.ts';
import { ChallengeFields, PlaceFields } from './ChallengeFields.tsx';
import classes from './NewChallenge.module.css';

/** The full form for a new challenge. */
export function NewChallenge() {
  const t = useWords();
  const dispatch = useDispatch();
  const creating = useSelector(selectCreating);
  const error = useSelector(selectCreateError);
  const form = useForm({ initialValues: emptyForm });
  const { reset } = form;
  useEffect(() => {
    if (creating === 'ready') reset();
  }, [creating, reset]);
  // After that: what was created is no draft any more, what was begun since then is one.
  useKeptForm('new-challenge', form);
  return (
    <section className={classes.section} id="add-a-challenge" aria-labelledby="add-a-challenge-title">
      <Paper className={classes.card} radius="lg">
        <h2 id="add-a-challenge-title">{t('add')}</h2>
        <Text c="dimmed" mb={24}>
          {t('addLead')}
        </Text>
        <form
          aria-labelledby="add-a-challenge-title"
          onSubmit={form.onSubmit((values) => {
            dispatch(challengeSubmitted(values));
          })}
        >
          <ChallengeFields form={form}>
            <PlaceFields form={form} />
          </ChallengeFields>
          <Button
            type="submit"
            mt={24}
            mb={8}
            loading={creating === 'loading'}
            disabled={!isComplete(form.values)}
          >
            {t('create')}
          </Button>
          <FormError>{error}</FormError>
        </form>
      </Paper>
    </section>
  );
}
