import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { Difficulty } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectAuthStatus } from '../../../entities/auth/selectors.ts';
import type { Filters as Wanted } from '../address.ts';
import classes from './Filters.module.css';

const options = [{ value: '', label: 'Any' }, ...Difficulty.options];

interface Props {
  filters: Wanted;
  onChange(part: Partial<Wanted>): void;
}

/** Narrows what map and list show. */
export function Filters({ filters: { difficulty, open, joined, search }, onChange }: Props) {
  const member = useSelector(selectAuthStatus) === 'member';
  const [text, setText] = useState(search);
  useEffect(() => {
    if (search === '') setText('');
  }, [search]);
  const searchFor = useDebouncedCallback((wanted: string) => onChange({ search: wanted }), 300);
  return (
    <fieldset className={classes.filters}>
      <legend>Challenges</legend>
      <TextInput
        label="Name, place or city"
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
        label="Difficulty"
        name="difficulty"
        data={options}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        value={difficulty ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ difficulty: Difficulty.safeParse(currentTarget.value).data ?? null })
        }
      />
      <div className={classes.switches}>
        <Button
          variant={open ? 'filled' : 'default'}
          aria-pressed={open}
          onClick={() => onChange({ open: !open })}
        >
          Open now
        </Button>
        {member && (
          <Button
            variant={joined ? 'filled' : 'default'}
            aria-pressed={joined}
            onClick={() => onChange({ joined: !joined })}
          >
            Joined
          </Button>
        )}
      </div>
    </fieldset>
  );
}
