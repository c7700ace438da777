import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown } from '@tabler/icons-react';
import {
  difficulties,
  firstDay,
  lastDay,
  placeCategories,
  placeCategoryByWords,
  pointsByDifficulty,
  textLimits,
} from '@wayquest/contracts';
import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { PlaceCategorySelect } from '../../../entities/challenges/ChallengeOptions.tsx';
import { dateError } from '../../../entities/challenges/dates.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { useFieldTranslations } from '../../../shared/i18n/fields.ts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import { LimitedTextarea, LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { ValidatedInput } from '../../../shared/ui/validity.tsx';
import { type ChallengeForm, isRequired, type RequiredField } from '../form.ts';
import { useTranslations } from '../translations.ts';
import classes from './ChallengeFields.module.css';

interface Props {
  form: UseFormReturnType<ChallengeForm>;
}

/** Controls have the names of the calls' fields. */
const controlsOf = (form: Props['form']) => {
  const field = (name: keyof ChallengeForm) => ({ name, ...form.getInputProps(name) });
  const required = (name: RequiredField) => ({
    ...field(name),
    ...(isRequired(form.values, name) && { 'aria-required': true, withAsterisk: true }),
  });
  return { field, required };
};

/** The label of each field that may be required. */
function useLabels(): Record<RequiredField, string> {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const ofFields = useFieldTranslations();
  return {
    name: t('name'),
    difficulty: ofChallenge('difficulty'),
    points: t('points'),
    locationName: t('locationName'),
    streetAddress: ofFields('streetAddress'),
    city: ofFields('city'),
    state: ofFields('state'),
  };
}

/** What to fill in these fields. */
export function useNeeded(fields: RequiredField[]): string[] {
  const ofFields = useFieldTranslations();
  const labels = useLabels();
  return fields.map((field) =>
    field === 'streetAddress' || field === 'state'
      ? ofFields('orDash', { field: labels[field] })
      : labels[field],
  );
}

/** The place of a new challenge. */
export function PlaceFields({ form }: Props) {
  const labels = useLabels();
  const ofFields = useFieldTranslations();
  const { field, required } = controlsOf(form);
  return (
    <>
      <LimitedTextInput
        className={classes.wide ?? ''}
        label={labels.locationName}
        limit={textLimits.locationName}
        {...required('locationName')}
        onBlur={() => {
          // A place on the map may have no street.
          const { position, locationName, streetAddress } = form.values;
          if (position && !streetAddress.trim()) form.setFieldValue('streetAddress', locationName.trim());
        }}
      />
      <LimitedTextInput
        className={classes.wide ?? ''}
        label={labels.streetAddress}
        limit={textLimits.streetAddress}
        {...required('streetAddress')}
      />
      <LimitedTextInput
        className={classes.wide ?? ''}
        label={labels.city}
        limit={textLimits.city}
        {...required('city')}
      />
      <LimitedTextInput
        label={isRequired(form.values, 'state') ? labels.state : ofFields('stateIfAny')}
        limit={textLimits.state}
        {...required('state')}
      />
      <LimitedTextInput label={ofFields('zip')} limit={textLimits.zip} {...field('zip')} />
    </>
  );
}

/**
 * The form's fields, with those of the place among them. The time zone is that of an existing challenge. Points follow
 * the difficulty until the person types some.
 */
export function ChallengeFields({
  form,
  timeZone,
  pointsFollowDifficulty = false,
  children,
}: Props & { timeZone?: string; pointsFollowDifficulty?: boolean; children?: ReactNode }) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const labels = useLabels();
  const { field, required } = controlsOf(form);
  const options = [
    { value: '', label: ofChallenge('chooseDifficulty') },
    ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
  ];
  const typedPoints = useRef(false);
  const { difficulty: before, points } = form.values;
  const defaultPointsOf = (difficulty: string) => {
    const known = parseOption(difficulties, difficulty);
    return known ? String(pointsByDifficulty[known]) : '';
  };
  const chooseDifficulty = ({ currentTarget: { value } }: ChangeEvent<HTMLSelectElement>) => {
    form.setFieldValue('difficulty', value);
    // A draft may contain typed points, too.
    const shouldUpdatePoints =
      pointsFollowDifficulty && !typedPoints.current && ['', defaultPointsOf(before)].includes(points);
    if (shouldUpdatePoints) form.setFieldValue('points', defaultPointsOf(value));
  };
  return (
    <div className={classes.fields}>
      <LimitedTextInput
        className={classes.wide ?? ''}
        label={labels.name}
        limit={textLimits.challengeName}
        {...required('name')}
      />
      <NativeSelect
        label={labels.difficulty}
        data={options}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        {...required('difficulty')}
        onChange={chooseDifficulty}
      />
      <ValidatedInput
        label={labels.points}
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        step={1}
        placeholder={t('pointsPlaceholder')}
        {...required('points')}
        onChange={({ currentTarget: { value } }) => {
          typedPoints.current = value !== '';
          form.setFieldValue('points', value);
        }}
      />
      <LimitedTextarea
        className={classes.full ?? ''}
        label={t('description')}
        rows={3}
        limit={textLimits.challengeDescription}
        placeholder={t('descriptionPlaceholder')}
        {...field('description')}
      />
      {children}
      <PlaceCategorySelect
        className={classes.full ?? ''}
        guess={placeCategoryByWords(form.values)}
        value={form.values.placeCategory}
        onChange={({ currentTarget }) =>
          form.setFieldValue('placeCategory', parseOption(placeCategories, currentTarget.value) ?? '')
        }
      />
      <ValidatedInput
        className={classes.wide ?? ''}
        label={ofChallenge('startDate')}
        type="date"
        min={firstDay}
        max={lastDay}
        {...field('startDate')}
      />
      <ValidatedInput
        className={classes.wide ?? ''}
        label={ofChallenge('endDate')}
        type="date"
        min={form.values.startDate || firstDay}
        max={lastDay}
        {...field('endDate')}
        error={dateError(form.values, timeZone)}
      />
    </div>
  );
}
