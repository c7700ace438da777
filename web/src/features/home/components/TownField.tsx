import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FoundPlace, textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { isTooLong, useTextLimit } from '../../../shared/ui/limited-text.tsx';
import { useWelcomeTranslations } from '../welcome-translations.ts';
import classes from './Welcome.module.css';

/** The pause in typing after which it searches, as on the map. */
const debounceMs = 200;

const labelOf = ({ name, vicinity }: FoundPlace) => [name, vicinity].filter(Boolean).join(', ');

interface Props {
  text: string;
  onChange(text: string): void;
  onChoose(town: FoundPlace, label: string): void;
}

/** The field for a town, which suggests towns while a person is typing. */
export function TownField({ text, onChange, onChoose }: Props) {
  const t = useWelcomeTranslations();
  /** The label of the chosen town, which is not searched again. */
  const [chosen, setChosen] = useState('');
  const [query] = useDebouncedValue(text.trim(), debounceMs);
  const tooLong = useTextLimit<HTMLInputElement>(text, textLimits.city);
  const isSearched = query !== '' && query !== chosen && !isTooLong(query, textLimits.city);
  const { data: found } = useResource('searchPlaces', isSearched ? { query: { text: query } } : null);
  // Others are places such as museums.
  const towns = new Map(found?.filter(({ type }) => type === null).map((town) => [labelOf(town), town]));
  return (
    <Autocomplete
      className={classes.townField ?? ''}
      label={t('town')}
      description={t('townHint')}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={onChange}
      // Otherwise a phone's bar or keyboard may cover it, or its suggestions.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'center' })}
      data={[...towns.keys()]}
      filter={({ options }) => options}
      onOptionSubmit={(label) => {
        const town = towns.get(label);
        setChosen(label);
        if (town) onChoose(town, label);
      }}
      error={tooLong.error}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}
