import '@mantine/core/styles/Input.layer.css';
import { Button, Skeleton, Text } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { Empty } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { CaseView } from '../components/CaseView.tsx';
import { FlaggedPoints } from '../components/FlaggedPoints.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { AuditLines, CaseRow } from '../components/rows.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

type Sort = 'weight' | 'age';

const addressOf = (sort: Sort, id?: string): string =>
  `/moderation?${new URLSearchParams({ ...(sort === 'age' && { sort }), ...(id && { case: id }) })}`;

function Queue({ sort, chosen }: { sort: Sort; chosen: string | null }) {
  const t = useTranslations();
  const cases = useResource('listCases', { query: { sort } });
  return (
    <PagedList of={cases} none={t('noCases')}>
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

function Audit() {
  const t = useTranslations();
  const query = useResource('listAudit', {});
  return (
    <section className={classes.card} aria-label={t('audit')}>
      <h2>{t('audit')}</h2>
      <Loaded of={query} pending={<Skeleton height={120} mt={12} />}>
        {(lines) => <AuditLines lines={lines} linked />}
      </Loaded>
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
          {isPointsQueue ? <FlaggedPoints /> : <Queue sort={sort} chosen={chosen} />}
          <Audit />
        </div>
        {chosen && (
          <div>
            <Link className={classes.back} to={addressOf(sort)}>
              {t('back')}
            </Link>
            <CaseView key={chosen} id={chosen} />
          </div>
        )}
      </div>
    </Page>
  );
}
