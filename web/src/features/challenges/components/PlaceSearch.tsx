import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type Place, textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { isTooLong, useTextLimit } from '../../../shared/ui/limited-text.tsx';
import { useTranslations } from '../translations.ts';
import classes from './ChallengeFields.module.css';

/** The pause in typing after which it searches, as on the map. */
const debounceMs = 200;

const labelOf = ({ name, vicinity }: Place) =>
  vicinity.startsWith(name) ? vicinity : [name, vicinity].filter(Boolean).join(', ');

/** Searches a place, a town or an address, and fills in its fields. */
export function PlaceSearch({ onFound }: { onFound(place: Place): void }) {
  const t = useTranslations();
  const [text, setText] = useState('');
  /** The text of the selected result, which is not searched again. */
  const [chosen, setChosen] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), debounceMs);
  const tooLong = useTextLimit<HTMLInputElement>(text, textLimits.placeSearch);
  const isSearched = wanted !== '' && wanted !== chosen && !isTooLong(wanted, textLimits.placeSearch);
  const { data: answer, error } = useQuery(isSearched ? wanted : null, (client) =>
    client.searchPlaces({ query: { text: wanted } }),
  );
  const places = new Map(wanted === text.trim() ? answer?.map((place) => [labelOf(place), place]) : []);
  const nothing = answer?.length === 0 && wanted === text.trim() ? t('noPlace') : null;
  return (
    <Autocomplete
      className={classes.full ?? ''}
      label={t('findPlace')}
      description={t('findPlaceHint')}
      leftSection={<IconSearch size={18} aria-hidden />}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={setText}
      data={[...places.keys()]}
      filter={({ options }) => options}
      onOptionSubmit={(label) => {
        const place = places.get(label);
        setChosen(label);
        if (place) onFound(place);
      }}
      error={tooLong.error ?? error ?? nothing}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}
