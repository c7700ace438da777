import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Pagination.layer.css';
import { Skeleton, Text } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/selectors.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Filter } from '../components/Filter.tsx';
import { OwnStanding } from '../components/OwnStanding.tsx';
import { Podium } from '../components/Podium.tsx';
import { RankingTable } from '../components/RankingTable.tsx';
import { useRanking } from '../components/use-ranking.ts';
import { useTranslations } from '../translations.ts';
import classes from './Leaderboard.module.css';

const headings = { all: 'global', friends: 'ofFriends', town: 'ofTown' } as const;

export default function Leaderboard() {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const { address, ranking, state, error, reload, member } = useRanking();
  const isOfTown = address.scope === 'town';
  const isHomeless = isOfTown && !me?.city;
  // Everybody who shows that they live in a town is in its all-time ranking: if it is empty, the person hides that.
  const isKept = isOfTown && address.period !== 'month' && ranking?.total === 0;
  return (
    <Page width="medium">
      <div className={classes.head}>
        <PageTitle>{t('title')}</PageTitle>
        <Text c="dimmed" size="lg" mt={8}>
          {t('lead')}
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
              {t('monthStory')}
            </Text>
          )}
          {isHomeless || isKept ? (
            <Empty
              action={
                <Link to={isHomeless ? '/profile' : '/settings'}>
                  {t(isHomeless ? 'sayTown' : 'showTown')}
                </Link>
              }
            >
              {t(isHomeless ? 'noTown' : 'townKept')}
            </Empty>
          ) : (
            <>
              {me && <OwnStanding me={me} address={address} />}
              <RankingTable ranking={ranking} address={address} busy={state === 'loading'} />
            </>
          )}
        </>
      )}
    </Page>
  );
}
