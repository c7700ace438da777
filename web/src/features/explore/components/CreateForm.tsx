import { NativeSelect, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { difficulties, firstDay, lastDay, placeCategories, textLimits } from '@wayquest/contracts';
import { type FormEvent, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useFormDraft } from '../../../entities/auth/form-draft.ts';
import { selectAuthStatus, selectIsSessionKnown } from '../../../entities/auth/slice.ts';
import { ChallengeOptions, PlaceCategorySelect } from '../../../entities/challenges/ChallengeOptions.tsx';
import { dateError } from '../../../entities/challenges/dates.ts';
import type { OptionalFields } from '../../../entities/challenges/editable-fields.ts';
import {
  challengeSubmitted,
  formOpened,
  selectCreateError,
  selectCreating,
} from '../../../entities/challenges/slice.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { useFieldTranslations } from '../../../shared/i18n/fields.ts';
import { fieldsOf, withDraft } from '../../../shared/lib/form-drafts.ts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import type { ReturnTo } from '../../../shared/lib/return-to.ts';
import { LimitedTextarea, LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { SubmitButton } from '../../../shared/ui/SubmitButton.tsx';
import { ValidatedInput } from '../../../shared/ui/validity.tsx';
import { challengeAt, guessPlaceCategory, missingFields, type PlaceDetails } from '../challenge-at.ts';
import { draftChanged, emptyForm, type MapForm, selectDraft } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './CreateForm.module.css';

interface Props {
  spot: PlaceDetails;
  /** Whether the address is known, loading, or has to be typed. */
  address: 'known' | 'loading' | 'manual';
  /** Where a visitor returns to after signing up. */
  returnPath: string;
  onCreated(): void;
}

/** Makes a challenge at a spot on the map. */
export function CreateForm({ spot, address, returnPath, onCreated }: Props) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const ofFields = useFieldTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const member = useSelector(selectAuthStatus) === 'member';
  const isSessionKnown = useSelector(selectIsSessionKnown);
  const form = useSelector(selectDraft);
  const creating = useSelector(selectCreating);
  const error = useSelector(selectCreateError);
  const sent = useRef(false);
  useEffect(() => {
    dispatch(formOpened());
  }, [dispatch]);
  const { read, write } = useFormDraft('map');
  const shown = useRef(form);
  useEffect(() => {
    const draft = read();
    if (draft && shown.current === emptyForm) dispatch(draftChanged(withDraft(emptyForm, draft)));
  }, [dispatch, read]);
  useEffect(() => {
    if (shown.current === form) return;
    shown.current = form;
    write(form === emptyForm ? undefined : fieldsOf(form));
  }, [form, write]);
  useEffect(() => {
    if (sent.current && creating === 'ready') onCreated();
  }, [creating, onCreated]);

  const labels = {
    name: t('name'),
    startDate: ofChallenge('startDate'),
    endDate: ofChallenge('endDate'),
    difficulty: ofChallenge('difficulty'),
  };
  const options = [
    { value: '', label: ofChallenge('chooseDifficulty') },
    ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
  ];
  const field = (name: Exclude<keyof MapForm, keyof OptionalFields>) => ({
    name,
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      dispatch(draftChanged({ ...form, [name]: currentTarget.value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const state: ReturnTo = { from: returnPath };
    if (!member) return navigate('/signup', { state });
    sent.current = true;
    dispatch(challengeSubmitted(challengeAt(spot, form, address === 'manual')));
  };
  return (
    <form aria-label={t('newChallenge')} className={classes.form} onSubmit={submit}>
      <LimitedTextInput
        className={classes.wide ?? ''}
        label={labels.name}
        limit={textLimits.challengeName}
        {...field('name')}
      />
      <ValidatedInput
        label={labels.startDate}
        type="date"
        min={firstDay}
        max={lastDay}
        {...field('startDate')}
      />
      <ValidatedInput
        label={labels.endDate}
        type="date"
        min={form.startDate || firstDay}
        max={lastDay}
        {...field('endDate')}
        error={dateError(form)}
      />
      <NativeSelect
        label={labels.difficulty}
        data={options}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        {...field('difficulty')}
      />
      <PlaceCategorySelect
        value={form.placeCategory}
        guess={guessPlaceCategory(spot, form)}
        onChange={({ currentTarget }) =>
          dispatch(
            draftChanged({ ...form, placeCategory: parseOption(placeCategories, currentTarget.value) ?? '' }),
          )
        }
      />
      <LimitedTextarea
        className={classes.wide ?? ''}
        label={t('description')}
        autosize
        minRows={1}
        maxRows={4}
        limit={textLimits.challengeDescription}
        {...field('description')}
      />
      <div className={classes.wide}>
        <ChallengeOptions
          values={form}
          isOnMap
          onChange={(changes) => dispatch(draftChanged({ ...form, ...changes }))}
        />
      </div>
      {address === 'manual' && (
        <>
          <LimitedTextInput
            className={classes.wide ?? ''}
            label={ofFields('streetAddress')}
            limit={textLimits.streetAddress}
            placeholder={spot.streetAddress}
            {...field('streetAddress')}
          />
          <LimitedTextInput
            className={classes.wide ?? ''}
            label={ofFields('city')}
            limit={textLimits.city}
            placeholder={spot.city}
            {...field('city')}
          />
          <LimitedTextInput
            label={ofFields('stateIfAny')}
            limit={textLimits.state}
            placeholder={spot.state}
            {...field('state')}
          />
          <LimitedTextInput
            label={ofFields('zip')}
            limit={textLimits.zip}
            placeholder={spot.zip}
            {...field('zip')}
          />
        </>
      )}
      {isSessionKnown && !member && (
        <Text className={classes.wide ?? ''} c="dimmed" size="sm" ta="center">
          {t('needsAccount')}
        </Text>
      )}
      <div className={classes.foot}>
        <FormError>{error}</FormError>
        <SubmitButton
          fullWidth
          loading={creating === 'loading'}
          disabled={!isSessionKnown || address === 'loading'}
          needed={missingFields(form).map((name) => labels[name])}
        >
          {t('create')}
        </SubmitButton>
      </div>
    </form>
  );
}
