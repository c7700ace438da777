import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { checkInMeters, type PlaceCategory, placeCategories } from '@wayquest/contracts';
import { type ChangeEventHandler, Fragment, type ReactNode } from 'react';
import { ExplainedCheckbox } from '../../shared/ui/ExplainedCheckbox.tsx';
import { useCheckInTranslations } from '../check-in/translations.ts';
import type { OptionalFields } from './editable-fields.ts';
import { formatDistance } from './location.ts';
import { usePlaceCategoryTranslations } from './place-category-translations.ts';
import { useChallengeTranslations } from './translations.ts';

interface PlaceCategorySelectProps {
  className?: string;
  /** The selected value; an empty one shows the guess. */
  value: string;
  guess: PlaceCategory;
  onChange: ChangeEventHandler<HTMLSelectElement>;
}

/** Selects the kind of place of a challenge: guessed, unless the creator chooses. */
export function PlaceCategorySelect({ value, guess, ...select }: PlaceCategorySelectProps) {
  const ofChallenge = useChallengeTranslations();
  const kinds = usePlaceCategoryTranslations();
  return (
    <NativeSelect
      label={ofChallenge('kind')}
      name="placeCategory"
      data={placeCategories.map((placeCategory) => ({ value: placeCategory, label: kinds(placeCategory) }))}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={value || guess}
      {...select}
    />
  );
}

interface ChallengeOptionsProps {
  values: OptionalFields;
  /** Whether the challenge has a position. */
  isOnMap: boolean;
  onChange(changes: Partial<OptionalFields>): void;
}

/** The controls of a challenge's optional fields, the same in all forms. */
export function ChallengeOptions({ values: { checkInRequired }, isOnMap, onChange }: ChallengeOptionsProps) {
  const t = useCheckInTranslations();
  // A field without a control is a type error.
  const controls: Record<keyof OptionalFields, ReactNode> = {
    checkInRequired: isOnMap && (
      <ExplainedCheckbox
        name="checkInRequired"
        label={t('ask')}
        explanation={t('askDescription', { distance: formatDistance(checkInMeters) })}
        checked={checkInRequired}
        onChange={({ currentTarget }) => onChange({ checkInRequired: currentTarget.checked })}
      />
    ),
  };
  return Object.entries(controls).map(([name, control]) => <Fragment key={name}>{control}</Fragment>);
}
