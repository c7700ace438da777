import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { difficulties, type PlaceType, placeTypes, textLimits } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import { isTooLong, useTextLimit } from '../../../shared/ui/text-limit.ts';
import type { Filters as Wanted } from '../address.ts';
import { typeWords, useTranslations } from '../translations.ts';
import classes from './Filters.module.css';

interface FiltersProps {
  filters: Wanted;
  onChange(part: Partial<Wanted>): void;
}

/** The filters of map and list. */
export function Filters({ filters: { difficulty, open, joined, search }, onChange }: FiltersProps) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const member = useSelector(selectAuthStatus) === 'member';
  const [text, setText] = useState(search);
  useEffect(() => {
    if (search === '') setText('');
  }, [search]);
  const tooLong = useTextLimit<HTMLInputElement>(text, textLimits.search);
  const searchFor = useDebouncedCallback((wanted: string) => {
    if (!isTooLong(wanted, textLimits.search)) onChange({ search: wanted });
  }, 300);
  return (
    <fieldset className={classes.filters}>
      <legend>{t('challenges')}</legend>
      <TextInput
        label={t('filterText')}
        name="search"
        type="search"
        ref={tooLong.ref}
        error={tooLong.error}
        errorProps={{ role: 'alert' }}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          searchFor(currentTarget.value);
        }}
      />
      <NativeSelect
        label={ofChallenge('difficulty')}
        name="difficulty"
        data={[
          { value: '', label: t('anyDifficulty') },
          ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
        ]}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        value={difficulty ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ difficulty: parseOption(difficulties, currentTarget.value) })
        }
      />
      <div className={classes.switches}>
        <Button
          variant={open ? 'filled' : 'default'}
          aria-pressed={open}
          onClick={() => onChange({ open: !open })}
        >
          {ofChallenge('openNow')}
        </Button>
        {member && (
          <Button
            variant={joined ? 'filled' : 'default'}
            aria-pressed={joined}
            onClick={() => onChange({ joined: !joined })}
          >
            {t('joinedFilter')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface PlaceTypeSelectProps {
  type: PlaceType | null;
  onChange(type: PlaceType | null): void;
}

/** Selects which places are shown beside the challenges. */
export function PlaceTypeSelect({ type, onChange }: PlaceTypeSelectProps) {
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
