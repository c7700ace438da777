import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete } from '@mantine/core';
import { type FoundPlace, textLimits } from '@wayquest/contracts';
import { useRef } from 'react';
import { usePlaceSearch } from './place-search.ts';

const labelOf = ({ name, vicinity }: FoundPlace) => [name, vicinity].filter(Boolean).join(', ');

interface Props {
  label: string;
  description?: string;
  className?: string;
  name?: string;
  autoComplete?: string;
  text: string;
  /** The town that is saved already, which is not searched. */
  saved?: string;
  onChange(text: string): void;
  /** Returns what the field contains from now on. */
  onChoose(town: FoundPlace, label: string): string;
  error?: string | undefined;
}

/** The field for a town, which suggests towns while a person is typing. */
export function TownField({ text, saved = '', onChange, onChoose, error, ...props }: Props) {
  const { found, tooLong, setChosen } = usePlaceSearch(text, textLimits.city, saved);
  const submitted = useRef<string>(undefined);
  // Others are places such as museums.
  const towns = new Map(found?.filter(({ type }) => type === null).map((town) => [labelOf(town), town]));
  return (
    <Autocomplete
      {...props}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={(typed) => {
        // After an option was chosen, Mantine reports its label, too.
        if (typed !== submitted.current) onChange(typed);
        submitted.current = undefined;
      }}
      // Otherwise a phone's bar or keyboard may cover it, or its suggestions.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'center' })}
      data={[...towns.keys()]}
      filter={({ options }) => options}
      onOptionSubmit={(label) => {
        const town = towns.get(label);
        if (!town) return;
        submitted.current = label;
        setChosen(onChoose(town, label));
      }}
      error={tooLong.error ?? error}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}
