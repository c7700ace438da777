import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { PlaceType } from '@wayquest/contracts';
import { typeWords } from '../type-words.ts';

const options = [
  { value: '', label: 'None' },
  ...PlaceType.options.map((type) => ({ value: type, label: typeWords(type) })),
];

interface Props {
  type: PlaceType | null;
  onChange(type: PlaceType | null): void;
}

/** Which places to show beside the challenges. */
export function PlaceTypeSelect({ type, onChange }: Props) {
  return (
    <NativeSelect
      label="Show Locations by Type"
      name="type"
      data={options}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={type ?? ''}
      onChange={({ currentTarget }) => onChange(PlaceType.safeParse(currentTarget.value).data ?? null)}
    />
  );
}
