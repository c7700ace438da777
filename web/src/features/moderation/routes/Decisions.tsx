import { Skeleton, Text } from '@mantine/core';
import type { OwnDecision } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { nameOf } from '../../../entities/challenges/texts.ts';
import { GivenReason } from '../../../entities/reports/GivenReason.tsx';
import { AppealButton } from '../../../entities/reports/HiddenBanner.tsx';
import { dayOf } from '../../../shared/lib/moments.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { Empty } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

const sentences = {
  hide: 'decisionHide',
  delete: 'decisionDelete',
  restore: 'decisionRestore',
  uphold: 'decisionUphold',
  dismiss: 'decisionDismiss',
  appeal: 'decisionAppeal',
  approve: 'decisionApprove',
} as const satisfies Record<Exclude<OwnDecision['action'], 'suspend' | 'revoke'>, string>;

function Decision({ decision }: { decision: OwnDecision }) {
  const t = useTranslations();
  const { kind, subjectId, action, byReports, at, until, mayAppeal, caseId, reason = '' } = decision;
  const title = nameOf({ ...decision, name: decision.title });
  const subjectLabel = {
    ...{ challenge: title, user: t('ofYou'), message: t('ofMessage') },
    completion: t('ofCompletion', { challenge: title }),
    points: title ? t('ofPoints', { challenge: title }) : t('ofSomePoints'),
  }[kind];
  const day = until ? dayOf(until) : '';
  const outcomeLabel =
    action === 'suspend'
      ? t('decisionSuspend', { day })
      : action === 'revoke'
        ? t('decisionRevokePoints', { reason })
        : t(action === 'hide' && byReports ? 'decisionHideByReports' : sentences[action]);
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span>
          {(kind === 'challenge' || kind === 'points') && title && action !== 'delete' ? (
            <Link to={`/challenges/${subjectId}`}>{subjectLabel}</Link>
          ) : (
            <strong>{subjectLabel}</strong>
          )}
        </span>
        <span>{outcomeLabel}</span>
        {action !== 'revoke' && reason && <GivenReason reason={reason} />}
        <time className={classes.quiet} dateTime={at}>
          {relativeTime(at, serverNow())}
        </time>
      </div>
      {mayAppeal && <AppealButton caseId={caseId} />}
    </li>
  );
}

/** Decisions about the person's own content and account. */
export default function Decisions() {
  const t = useTranslations();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const query = useResource('listOwnDecisions', { query: { limit: 100 } });
  return (
    <Page width="medium">
      <PageTitle>{t('decisions')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={24}>
        {t('decisionsLead')}
      </Text>
      <div {...focusFallback}>
        <Loaded
          of={query}
          className={classes.list}
          pending={[0, 1].map((place) => <Skeleton key={place} height={72} radius="md" mb={8} />)}
          empty={<Empty>{t('noDecisions')}</Empty>}
        >
          {(decisions) => (
            <ul className={classes.list}>
              {decisions.map((decision) => (
                <Decision key={decision.id} decision={decision} />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
