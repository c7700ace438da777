import '@mantine/core/styles/Input.layer.css';
import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { usePages } from '../../../shared/lib/use-pages.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { CaseView } from '../components/CaseView.tsx';
import { FlaggedPoints } from '../components/FlaggedPoints.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { AuditLines, CaseRow } from '../components/rows.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

type Sort = 'weight' | 'age';

const addressOf = (sort: Sort, id?: string): string =>
  `/moderation?${new URLSearchParams({ ...(sort === 'age' && { sort }), ...(id && { case: id }) })}`;

function Queue({ sort, chosen, revision }: { sort: Sort; chosen: string | null; revision: number }) {
  const t = useTranslations();
  const pages = usePages(`${sort} ${revision}`, (client, cursor, options) =>
    client.listCases({ query: { sort, ...cursor } }, options),
  );
  return (
    <PagedList pages={pages} none={t('noCases')}>
      {(moderationCase) => (
        <CaseRow
          key={moderationCase.id}
          moderationCase={moderationCase}
          current={moderationCase.id === chosen}
          to={addressOf(sort, moderationCase.id)}
        />
      )}
    </PagedList>
  );
}

function Audit({ revision }: { revision: number }) {
  const t = useTranslations();
  const query = useQuery(`audit ${revision}`, (client) => client.listAudit());
  return (
    <section className={classes.card} aria-label={t('audit')}>
      <h2>{t('audit')}</h2>
      {query.state === 'failed' ? (
        <Failure onRetry={query.refetch}>{query.error}</Failure>
      ) : query.data ? (
        <AuditLines lines={query.data} linked />
      ) : (
        <Pending>
          <Skeleton height={120} mt={12} />
        </Pending>
      )}
    </section>
  );
}

/** For admins: open cases, and past decisions. */
export default function Moderation() {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const [query] = useSearchParams();
  const isPointsQueue = query.get('queue') === 'points';
  const chosen = isPointsQueue ? null : query.get('case');
  const sort: Sort = query.get('sort') === 'age' ? 'age' : 'weight';
  const [revision, setRevision] = useState(0);
  const onDecided = () => setRevision((count) => count + 1);
  if (!me?.admin) {
    return (
      <Page width="medium">
        <PageTitle mb={24}>{t('moderation')}</PageTitle>
        <Empty>{t('adminsOnly')}</Empty>
      </Page>
    );
  }
  return (
    <Page>
      <PageTitle>{t('moderation')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8}>
        {t(isPointsQueue ? 'pointsLead' : 'moderationLead')}
      </Text>
      <div className={classes.columns} data-alone={!chosen || undefined}>
        <div>
          <nav className={classes.bar} aria-label={t('cases')}>
            {(['weight', 'age'] as const).map((each) => (
              <Button
                key={each}
                component={Link}
                to={addressOf(each, chosen ?? undefined)}
                variant={each === sort && !isPointsQueue ? 'filled' : 'default'}
                aria-current={(each === sort && !isPointsQueue) || undefined}
              >
                {t(each === 'age' ? 'byAge' : 'byWeight')}
              </Button>
            ))}
            <Button
              component={Link}
              to="/moderation?queue=points"
              variant={isPointsQueue ? 'filled' : 'default'}
              aria-current={isPointsQueue || undefined}
            >
              {t('pointsToReview')}
            </Button>
          </nav>
          {isPointsQueue ? (
            <FlaggedPoints onDecided={onDecided} />
          ) : (
            <Queue sort={sort} chosen={chosen} revision={revision} />
          )}
          <Audit revision={revision} />
        </div>
        {chosen && (
          <div>
            <Link className={classes.back} to={addressOf(sort)}>
              {t('back')}
            </Link>
            <CaseView key={chosen} id={chosen} onDecided={onDecided} />
          </div>
        )}
      </div>
    </Page>
  );
}
