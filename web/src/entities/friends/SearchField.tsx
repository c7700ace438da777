import { CloseButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { textLimits } from '@wayquest/contracts';
import { useRef } from 'react';
import { LimitedTextInput } from '../../shared/ui/limited-text.tsx';
import { useSearchTranslations } from './search-translations.ts';

interface Props {
  text: string;
  onChange: (text: string) => void;
}

/** Searches while the person types. */
export function SearchField({ text, onChange }: Props) {
  const t = useSearchTranslations();
  const ref = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    ref.current?.focus();
  };
  return (
    <search>
      <LimitedTextInput
        ref={ref}
        type="text"
        inputMode="search"
        name="search"
        label={t('search')}
        placeholder={t('searchPlaceholder')}
        limit={textLimits.search}
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
