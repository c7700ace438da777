import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { type RankingAddress, writeAddress } from '../address.ts';
import { useWords } from '../words.ts';
import classes from './Filter.module.css';

/** Everyone or friends; either begins at its first page. */
export function Filter({ address }: { address: RankingAddress }) {
  const t = useWords();
  const navigate = useNavigate();
  return (
    <NativeSelect
      className={classes.filter ?? ''}
      name="filter"
      label={t('filter')}
      data={[
        { value: 'all', label: t('all') },
        { value: 'friends', label: t('ofFriends') },
      ]}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={address.scope}
      onChange={({ currentTarget }) => {
        const scope = currentTarget.value === 'friends' ? 'friends' : 'all';
        navigate(writeAddress({ page: 1, scope }) || '/leaderboard');
      }}
    />
  );
}
