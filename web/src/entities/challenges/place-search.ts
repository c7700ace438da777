import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useResource } from '../../shared/lib/use-resource.ts';
import { isTooLong, useTextLimit } from '../../shared/ui/text-limit.ts';

/** The pause in typing after which it searches, as on the map. */
const debounceMs = 200;

/**
 * Searches places for what is typed into a field.
 *
 * @param text - What the field contains.
 * @param limit - Its maximum length.
 * @param known - What it contains at first, which is not searched.
 * @returns What was found, or the error; whether that is for the current text; the limit's error and reference; and a function that
 *   keeps the label of a chosen result from being searched again.
 */
export function usePlaceSearch(text: string, limit: number, known = '') {
  const [chosen, setChosen] = useState(known);
  const [query] = useDebouncedValue(text.trim(), debounceMs);
  const tooLong = useTextLimit<HTMLInputElement>(text, limit);
  const isSearched = query !== '' && query !== chosen && !isTooLong(query, limit);
  const { data: found, error } = useResource('searchPlaces', isSearched ? { query: { text: query } } : null);
  return { found, error, isCurrent: query === text.trim(), tooLong, setChosen };
}
