import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import type { ChangeEventHandler } from 'react';
import { usePlaceCategoryTranslations } from './place-category-translations.ts';
import { useChallengeTranslations } from './translations.ts';

interface Props {
  className?: string;
  /** The selected value; an empty one shows the guess. */
  value: string;
  guess: PlaceCategory;
  onChange: ChangeEventHandler<HTMLSelectElement>;
}

/** Selects the kind of place of a challenge: guessed, unless the creator chooses. */
export function PlaceCategorySelect({ value, guess, ...select }: Props) {
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
