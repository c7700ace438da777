import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from 'react-router-dom';
import { among } from '../../../shared/lib/query-params.ts';
import { type RankingAddress, writeAddress } from '../address.ts';
import { scopes } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Filter.module.css';

interface Props {
  address: RankingAddress;
  /** Visitors have no friends, so they cannot choose them. */
  member: boolean;
}

/** Selects period and scope; each starts at its first page. */
export function Filter({ address, member }: Props) {
  const t = useTranslations();
  const navigate = useNavigate();
  const choose = (change: Partial<RankingAddress>) =>
    navigate(writeAddress({ ...address, ...change, page: 1 }) || '/leaderboard');
  const look = {
    className: classes.filter ?? '',
    rightSection: <IconChevronDown size={18} aria-hidden />,
  };
  return (
    <div className={classes.filters}>
      <NativeSelect
        {...look}
        name="period"
        label={t('period')}
        data={[
          { value: 'all', label: t('allTime') },
          { value: 'month', label: t('thisMonth') },
        ]}
        value={address.period}
        onChange={({ currentTarget: { value } }) => choose({ period: value === 'month' ? 'month' : 'all' })}
      />
      {member && (
        <NativeSelect
          {...look}
          name="filter"
          label={t('filter')}
          data={[
            { value: 'all', label: t('all') },
            { value: 'friends', label: t('ofFriends') },
            { value: 'town', label: t('ofTown') },
          ]}
          value={address.scope}
          onChange={({ currentTarget: { value } }) => choose({ scope: among(scopes, value) ?? 'all' })}
        />
      )}
    </div>
  );
}
