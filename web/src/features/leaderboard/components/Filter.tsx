import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { type RankingAddress, writeAddress } from '../address.ts';
import classes from './Filter.module.css';

const options = [
  { value: 'all', label: 'All Rankings' },
  { value: 'friends', label: 'Friend Rankings' },
];

/** Everyone or friends; either begins at its first page. */
export function Filter({ address }: { address: RankingAddress }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      className={classes.filter ?? ''}
      name="filter"
      label="Filter by:"
      data={options}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      value={address.scope}
      onChange={({ currentTarget }) => {
        const scope = currentTarget.value === 'friends' ? 'friends' : 'all';
        navigate(writeAddress({ page: 1, scope }) || '/leaderboard');
      }}
    />
  );
}
