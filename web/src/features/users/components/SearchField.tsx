import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { usePeopleWords } from '../../../entities/friends/words.ts';

interface Props {
  text: string;
  onChange: (text: string) => void;
}

/** Searches as one types. */
export function SearchField({ text, onChange }: Props) {
  const t = usePeopleWords();
  const ref = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    ref.current?.focus();
  };
  return (
    <search>
      <TextInput
        ref={ref}
        type="text"
        inputMode="search"
        name="search"
        label={t('search')}
        placeholder={t('searchPlaceholder')}
        maxLength={80}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        size="md"
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          text && <CloseButton size={44} iconSize={20} aria-label={t('clearSearch')} onClick={clear} />
        }
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </search>
  );
}
