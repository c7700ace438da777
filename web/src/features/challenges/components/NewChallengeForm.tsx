import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useKeptForm } from '../../../entities/auth/form-draft.ts';
import {
  selectCreatedId,
  selectCreateError,
  selectCreating,
} from '../../../entities/challenges/selectors.ts';
import { challengeSubmitted, formOpened } from '../../../entities/challenges/slice.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { emptyForm, isComplete, withPlace } from '../form.ts';
import { newChallengeDraft } from '../new-challenge-draft.ts';
import { useTranslations } from '../translations.ts';
import { ChallengeFields, PlaceFields } from './ChallengeFields.tsx';
import classes from './NewChallenge.module.css';
import { PlaceSearch } from './PlaceSearch.tsx';

/** The full form for a new challenge. What was created is shown on its own page. */
export default function NewChallengeForm() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const creating = useSelector(selectCreating);
  const createdId = useSelector(selectCreatedId);
  const error = useSelector(selectCreateError);
  const form = useForm({ initialValues: emptyForm });
  const removeDraft = useKeptForm(newChallengeDraft, form);
  useEffect(() => {
    dispatch(formOpened());
  }, [dispatch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what was created
  useEffect(() => {
    if (createdId === null || creating !== 'ready') return;
    removeDraft();
    navigate(`/challenges/${createdId}`, { state: { created: createdId } });
  }, [createdId]);
  return (
    <form
      aria-labelledby="add-a-challenge-title"
      className={classes.form}
      onSubmit={form.onSubmit((values) => {
        dispatch(challengeSubmitted(values));
      })}
    >
      <ChallengeFields form={form} pointsFollow>
        <PlaceSearch
          onFound={(place) => form.setValues((values) => withPlace({ ...emptyForm, ...values }, place))}
        />
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
  );
}
