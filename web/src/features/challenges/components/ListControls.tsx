import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { difficulties } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import type { ChallengesAsked } from '../../../entities/challenges/slice.ts';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { among } from '../../../shared/lib/in-address.ts';
import { useNearMe } from '../../../shared/ui/use-near-me.ts';
import { orders, phases } from '../address.ts';
import { useWords } from '../words.ts';
import classes from './ListControls.module.css';

const orderWords = { newest: 'newest', nearest: 'nearest', ending: 'ending', joined: 'joinedMost' } as const;

interface Props {
  asked: ChallengesAsked;
  onChange(part: Partial<ChallengesAsked>): void;
}

/** Narrows and sorts the list. */
export function ListControls({ asked: { search, phase, difficulty, sort }, onChange }: Props) {
  const t = useWords();
  const ofChallenge = useChallengeWords();
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  const searchFor = useDebouncedCallback((wanted: string) => onChange({ search: wanted }), 300);
  const nearMe = useNearMe((near) => onChange({ near, sort: 'nearest' }));
  const chevron = <IconChevronDown size={18} aria-hidden />;
  return (
    <search className={classes.controls}>
      <TextInput
        className={classes.search ?? ''}
        label={t('search')}
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
        label={t('phase')}
        name="filter-phase"
        rightSection={chevron}
        data={[{ value: '', label: t('anyPhase') }, ...phases.map((value) => ({ value, label: t(value) }))]}
        value={phase ?? ''}
        onChange={({ currentTarget }) => onChange({ phase: among(phases, currentTarget.value) })}
      />
      <NativeSelect
        label={ofChallenge('difficulty')}
        name="filter-difficulty"
        rightSection={chevron}
        data={[
          { value: '', label: t('anyDifficulty') },
          ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
        ]}
        value={difficulty ?? ''}
        onChange={({ currentTarget }) => onChange({ difficulty: among(difficulties, currentTarget.value) })}
      />
      <NativeSelect
        label={t('sort')}
        name="sort"
        rightSection={chevron}
        disabled={nearMe.asking}
        data={orders.map((value) => ({ value, label: t(orderWords[value]) }))}
        value={sort}
        onChange={({ currentTarget }) => {
          const chosen = among(orders, currentTarget.value) ?? 'newest';
          if (chosen === 'nearest') nearMe.ask();
          else onChange({ sort: chosen });
        }}
      />
    </search>
  );
}
