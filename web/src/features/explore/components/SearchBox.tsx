import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { Place, Position } from '@wayquest/contracts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import type { PlaceFinder, Suggestion } from '../map/map.ts';
import { debounceMs, keepSuggestions } from '../suggestions.ts';

interface Props {
  finder: PlaceFinder;
  near: Position;
  onFound(place: Place): void;
}

/** Finds an address, a town or a place by its name. */
export function SearchBox({ finder, near, onFound }: Props) {
  const dispatch = useDispatch();
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text, debounceMs);
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);
  const suggest = useMemo(() => keepSuggestions(finder), [finder]);
  const choices = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: moving the map alone asks for nothing
  useEffect(() => {
    setSuggestions([]);
    if (wanted.trim() === '') return;
    let current = true;
    suggest(wanted, near).then(
      (found) => current && setSuggestions(found),
      (error: Error) => current && dispatch(noticed({ text: error.message, tone: 'bad' })),
    );
    return () => {
      current = false;
    };
  }, [suggest, wanted]);

  useEffect(() => {
    const chosen = choices;
    return () => {
      chosen.current += 1;
    };
  }, []);

  const choose = (suggestion: Suggestion | undefined) => {
    if (!suggestion) return;
    choices.current += 1;
    const choice = choices.current;
    // Somebody who chose another one, or left, is not called back.
    const counts = () => choice === choices.current;
    finder.resolve(suggestion).then(
      (place) => counts() && onFound(place),
      (error: Error) => counts() && dispatch(noticed({ text: error.message, tone: 'bad' })),
    );
  };
  return (
    <Autocomplete
      label="Address or place"
      placeholder="Enter an address"
      leftSection={<IconSearch size={18} aria-hidden />}
      size="md"
      maxLength={160}
      value={text}
      onChange={setText}
      data={text === wanted ? [...new Set(suggestions.map(({ label }) => label))] : []}
      filter={({ options }) => options}
      onOptionSubmit={(label) => choose(suggestions.find((suggestion) => suggestion.label === label))}
      selectFirstOptionOnChange
      comboboxProps={{ shadow: 'md', width: 316, position: 'bottom-start' }}
    />
  );
}
