import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type PlaceType, placeTypes } from '@wayquest/contracts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import { typeWords, useTranslations } from '../translations.ts';

interface Props {
  type: PlaceType | null;
  onChange(type: PlaceType | null): void;
}

/** Selects which places are shown beside the challenges. */
export function PlaceTypeSelect({ type, onChange }: Props) {
  const t = useTranslations();
  return (
    <NativeSelect
      label={t('placeType')}
      name="type"
      data={[
        { value: '', label: t('noType') },
        ...placeTypes.map((value) => ({ value, label: t(typeWords[value].name) })),
      ]}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={type ?? ''}
      onChange={({ currentTarget }) => onChange(parseOption(placeTypes, currentTarget.value))}
    />
  );
}
