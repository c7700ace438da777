import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Pagination.layer.css';
import { Skeleton, Text } from '@mantine/core';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/selectors.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Filter } from '../components/Filter.tsx';
import { OwnStanding } from '../components/OwnStanding.tsx';
import { Podium } from '../components/Podium.tsx';
import { RankingTable } from '../components/RankingTable.tsx';
import { useRanking } from '../components/use-ranking.ts';
import { useWords } from '../words.ts';
import classes from './Leaderboard.module.css';

export default function Leaderboard() {
  const t = useWords();
  const me = useSelector(selectUser);
  const { address, ranking, state, error, reload, member } = useRanking();
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
        <Pending what={t('theRanking')}>
          <Skeleton height={420} radius="lg" />
        </Pending>
      )}
      {state !== 'failed' && ranking && (
        <>
          <Podium people={ranking.podium} />
          <div className={classes.bar}>
            <h2>{t(address.scope === 'friends' ? 'ofFriends' : 'global')}</h2>
            <Filter address={address} member={member} />
          </div>
          {address.period === 'month' && (
            <Text c="dimmed" mb={12}>
              {t('monthStory')}
            </Text>
          )}
          {me && <OwnStanding me={me} address={address} ranking={ranking} />}
          <RankingTable ranking={ranking} address={address} busy={state === 'loading'} />
        </>
      )}
    </Page>
  );
}
