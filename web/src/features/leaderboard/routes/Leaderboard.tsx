import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Pagination.layer.css';
import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { LeaderboardPage } from '@wayquest/contracts';
import { useCallback, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { type RankingAddress, readAddress, writeAddress } from '../address.ts';
import filterClasses from '../components/Filter.module.css';
import { OwnRank } from '../components/OwnRank.tsx';
import podiumClasses from '../components/Podium.module.css';
import { RankingTable } from '../components/RankingTable.tsx';
import {
  rankingClosed,
  rankingRequested,
  scopes,
  selectRanking,
  selectRankingError,
  selectRankingState,
} from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Leaderboard.module.css';

const headings = { all: 'global', friends: 'ofFriends', town: 'ofTown' } as const;

/** Who is in the ranking of each filter. */
const leads = { all: 'lead', friends: 'leadOfFriends', town: 'leadOfTown' } as const;

const places = ['first', 'second', 'third'] as const;

/** The first three people. */
function Podium({ people }: { people: LeaderboardPage['podium'] }) {
  const t = useTranslations();
  const common = useCommonTranslations();
  if (people.length === 0) return null;
  return (
    <ol className={podiumClasses.podium} aria-label={t('podium')}>
      {people.map((user, index) => (
        <li key={user.id} className={podiumClasses.place} data-place={index + 1}>
          <UserAvatar user={user} size={index === 0 ? 92 : 72} className={podiumClasses.avatar ?? ''} />
          <Link to={`/users/${user.id}`} className={podiumClasses.name} title={user.username}>
            {user.username}
          </Link>
          <div className={podiumClasses.step}>
            <span className={podiumClasses.ordinal}>{t(places[index] ?? 'third')}</span>
            <span className={podiumClasses.points}>{common('points', { count: user.points })}</span>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Loads the ranking of the URL. For a visitor friends are ignored; a page past the end is the last one. */
function useRanking() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const status = useSelector(selectAuthStatus);
  const ranking = useSelector(selectRanking);
  const state = useSelector(selectRankingState);
  const error = useSelector(selectRankingError);
  const { page, scope: requestedScope, period } = readAddress(query);
  const member = status === 'member';
  const scope = member ? requestedScope : 'all';
  const starting = status === 'starting';
  const lastPage = state === 'ready' ? ranking?.pages : undefined;

  const reload = useCallback(() => {
    if (!starting) dispatch(rankingRequested({ page, scope, period }));
  }, [dispatch, starting, page, scope, period]);
  useEffect(reload, [reload]);
  useEffect(() => () => void dispatch(rankingClosed()), [dispatch]);

  useEffect(() => {
    if (lastPage && page > lastPage)
      navigate(writeAddress({ page: lastPage, scope, period }) || '.', { replace: true });
  }, [lastPage, page, scope, period, navigate]);

  return { address: { page, scope, period }, ranking, state, error, reload, member };
}

interface FilterProps {
  address: RankingAddress;
  /** Visitors have no friends, so they cannot choose them. */
  member: boolean;
}

/** Selects period and scope; each starts at its first page. */
function Filter({ address, member }: FilterProps) {
  const t = useTranslations();
  const navigate = useNavigate();
  const choose = (change: Partial<RankingAddress>) =>
    navigate(writeAddress({ ...address, ...change, page: 1 }) || '/leaderboard');
  const commonProps = {
    className: filterClasses.filter ?? '',
    rightSection: <IconChevronDown size={18} aria-hidden />,
  };
  return (
    <div className={filterClasses.filters}>
      <NativeSelect
        {...commonProps}
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
          {...commonProps}
          name="filter"
          label={t('filter')}
          data={[
            { value: 'all', label: t('all') },
            { value: 'friends', label: t('ofFriends') },
            { value: 'town', label: t('ofTown') },
          ]}
          value={address.scope}
          onChange={({ currentTarget: { value } }) => choose({ scope: parseOption(scopes, value) ?? 'all' })}
        />
      )}
    </div>
  );
}

export default function Leaderboard() {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const { address, ranking, state, error, reload, member } = useRanking();
  const isOfTown = address.scope === 'town';
  const hasNoTown = isOfTown && !me?.city;
  // Everybody who shows that they live in a town is in its all-time ranking: if it is empty, the person hides that.
  const isTownHidden = isOfTown && address.period !== 'month' && ranking?.total === 0;
  return (
    <Page width="medium">
      <div className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <Text c="dimmed" size="lg" mt={8}>
          {t(leads[address.scope])}
        </Text>
      </div>
      {state === 'failed' && <Failure onRetry={reload}>{error}</Failure>}
      {state !== 'failed' && !ranking && (
        <Pending>
          <Skeleton height={420} radius="lg" />
        </Pending>
      )}
      {state !== 'failed' && ranking && (
        <>
          <Podium people={ranking.podium} />
          <div className={classes.bar}>
            <h2>{t(headings[address.scope])}</h2>
            <Filter address={address} member={member} />
          </div>
          {address.period === 'month' && (
            <Text c="dimmed" mb={12}>
              {t('monthDescription')}
            </Text>
          )}
          {hasNoTown || isTownHidden ? (
            <Empty
              action={
                <Link to={hasNoTown ? '/profile#update-title' : '/settings#privacy'}>
                  {t(hasNoTown ? 'addTown' : 'showTown')}
                </Link>
              }
            >
              {t(hasNoTown ? 'noTown' : 'townHidden')}
            </Empty>
          ) : (
            <>
              {me && <OwnRank me={me} address={address} />}
              <RankingTable ranking={ranking} address={address} busy={state === 'loading'} />
            </>
          )}
        </>
      )}
    </Page>
  );
}
