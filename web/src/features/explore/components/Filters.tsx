import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { difficulties } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { among } from '../../../shared/lib/in-address.ts';
import type { Filters as Wanted } from '../address.ts';
import { useWords } from '../words.ts';
import classes from './Filters.module.css';

interface Props {
  filters: Wanted;
  /** On a phone they would leave little of the map: shown when they are asked for. */
  folded: boolean;
  onChange(part: Partial<Wanted>): void;
}

/** Narrows what map and list show. */
export function Filters({ filters: { difficulty, open, joined, search }, folded, onChange }: Props) {
  const t = useWords();
  const ofChallenge = useChallengeWords();
  const member = useSelector(selectAuthStatus) === 'member';
  const [text, setText] = useState(search);
  const [isUnfolded, setUnfolded] = useState(false);
  const count = [difficulty, open, joined, search].filter(Boolean).length;
  useEffect(() => {
    if (search === '') setText('');
  }, [search]);
  const searchFor = useDebouncedCallback((wanted: string) => onChange({ search: wanted }), 300);
  return (
    <>
      {folded && (
        <Button
          variant="default"
          px={12}
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {count ? t('filtersOn', { count }) : t('filters')}
        </Button>
      )}
      {(!folded || isUnfolded) && (
        <fieldset className={classes.filters}>
          <legend>{t('challenges')}</legend>
          <TextInput
            label={t('filterText')}
            name="search"
            type="search"
            maxLength={80}
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
              onChange({ difficulty: among(difficulties, currentTarget.value) })
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
      )}
    </>
  );
}
