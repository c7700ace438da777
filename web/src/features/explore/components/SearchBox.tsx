import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type Place, type Position, textLimits } from '@wayquest/contracts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { isComposing } from '../../../shared/lib/browser.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { isTooLong, useTextLimit } from '../../../shared/ui/text-limit.ts';
import type { PlaceFinder, Suggestion } from '../map/map.ts';
import { cacheSuggestions, debounceMs } from '../suggestions.ts';
import { useTranslations } from '../translations.ts';

interface Props {
  finder: PlaceFinder;
  near: Position;
  /** Whether its suggestions are as wide as the field. */
  wide: boolean;
  onFound(place: Place): void;
}

/** Searches addresses, towns and places by name. */
export function SearchBox({ finder, near, wide, onFound }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [text, setText] = useState('');
  const [debouncedText] = useDebouncedValue(text, debounceMs);
  /** The latest suggestions with their text, since the field may have changed. */
  const [result, setResult] = useState<{ text: string; found: Suggestion[] } | null>(null);
  const suggest = useMemo(() => cacheSuggestions(finder), [finder]);
  const tooLong = useTextLimit<HTMLInputElement>(text, textLimits.placeSearch);
  const choices = useRef(0);
  const isSubmitted = useRef(false);
  /** The submitted text, if no suggestion matches all of its words. */
  const [guessedText, setGuessedText] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: moving the map alone does not search
  useEffect(() => {
    if (debouncedText.trim() === '' || isTooLong(debouncedText, textLimits.placeSearch)) return;
    let current = true;
    suggest(debouncedText, near).then(
      (found) => {
        if (!current) return;
        setResult({ text: debouncedText, found });
        if (isSubmitted.current) submit(debouncedText, found);
      },
      (error: Error) => current && dispatch(noticed({ text: error.message, tone: 'bad' })),
    );
    return () => {
      current = false;
    };
  }, [suggest, debouncedText]);

  useEffect(() => {
    const chosen = choices;
    return () => {
      chosen.current += 1;
    };
  }, []);

  /** Goes to the first suggestion that matches all words; otherwise near matches are shown. */
  const submit = (typed: string, found: Suggestion[]) => {
    isSubmitted.current = false;
    const match = found.find(({ matchesAll }) => matchesAll);
    if (match) choose(match);
    else setGuessedText(typed);
  };

  const choose = (suggestion: Suggestion | undefined) => {
    if (!suggestion) return;
    choices.current += 1;
    const choice = choices.current;
    // Ignored if another one was chosen meanwhile, or the page was left.
    const isLatest = () => choice === choices.current;
    finder.resolve(suggestion).then(
      (place) => isLatest() && onFound(place),
      (error: Error) => isLatest() && dispatch(noticed({ text: error.message, tone: 'bad' })),
    );
  };
  const suggestions = result?.text === text ? result.found : null;
  const labels = [...new Set(suggestions?.map(({ label }) => label))];
  const isGuess = guessedText === text && labels.length > 0;
  const noMatchMessage = suggestions?.length === 0 ? t('noMatch') : isGuess && t('noExactMatch');
  return (
    <Autocomplete
      label={t('searchLabel')}
      placeholder={t('searchPlaceholder')}
      leftSection={<IconSearch size={18} aria-hidden />}
      size="md"
      // The focus also returns here when a window closes, which asks for nothing.
      openOnFocus={false}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={(typed) => {
        isSubmitted.current = false;
        setText(typed);
      }}
      data={isGuess ? [{ group: t('suggestions'), items: labels }] : labels}
      filter={({ options }) => options}
      onOptionSubmit={(label) => choose(suggestions?.find((suggestion) => suggestion.label === label))}
      onKeyDown={({ key, nativeEvent, currentTarget }) => {
        const activeOptionId = currentTarget.getAttribute('aria-activedescendant');
        if (key !== 'Enter' || isComposing(nativeEvent) || activeOptionId) return;
        if (suggestions) submit(text, suggestions);
        else isSubmitted.current = true;
      }}
      error={tooLong.error ?? noMatchMessage}
      comboboxProps={{
        shadow: 'md',
        width: wide ? 'target' : 316,
        position: 'bottom-start',
        portalProps: { target: '#main' },
      }}
    />
  );
}
