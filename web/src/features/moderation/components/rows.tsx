import type { AuditEntry, ModerationCase } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { nameOf, textsOf } from '../../../entities/challenges/texts.ts';
import { GivenReason } from '../../../entities/reports/GivenReason.tsx';
import { dayOf } from '../../../shared/lib/moments.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

/** Returns a function for the short state of a case, and how many reports it has got; those of a decided one count no more. */
export function useStateOf(): (moderationCase: ModerationCase, filed?: number) => string {
  const t = useTranslations();
  return ({ weight, reports, state, suspendedUntil, appeal, respondBy, open }, filed = 0) =>
    [
      open && t('priority', { weight }),
      open ? t('reports', { count: reports }) : filed > 0 && t('reports', { count: filed }),
      suspendedUntil && Date.parse(suspendedUntil) > serverNow()
        ? t('isSuspended', { day: dayOf(suspendedUntil) })
        : t(state),
      open && appeal && t('hasAppeal'),
      respondBy && t('respondBy', { day: dayOf(respondBy) }),
    ]
      .filter(Boolean)
      .join(' · ');
}

/** What was reported; a suggested challenge in the reader's language. */
export function textsOfCase({
  kind,
  snapshot: { title: name, text: description, template },
}: ModerationCase) {
  const texts = textsOf({ name, description, template });
  return { title: texts.name, text: kind === 'challenge' ? texts.description : description };
}

/** A case in the queue. */
export function CaseRow({
  moderationCase,
  current,
  to,
}: {
  moderationCase: ModerationCase;
  current: boolean;
  to: string;
}) {
  const t = useTranslations();
  const stateOf = useStateOf();
  const { kind, openedAt } = moderationCase;
  const { title, text } = textsOfCase(moderationCase);
  return (
    <li>
      <Link className={classes.row ?? ''} to={to} aria-current={current || undefined}>
        <span className={classes.words}>
          <span className={classes.quiet}>
            {t(kind)} · {relativeTime(openedAt, serverNow())}
          </span>
          <strong>{title || text}</strong>
          <span className={classes.quiet}>{stateOf(moderationCase)}</span>
        </span>
      </Link>
    </li>
  );
}

/** Returns the path of a case; for points, that of the user who earned them. */
const pathTo = (caseId: string): string => {
  const [kind, userId] = caseId.split('-');
  return kind === 'points' ? `/users/${userId}` : `/moderation?case=${caseId}`;
};

/** Labels of actions; other actions have their own names. */
function actionLabel(action: AuditEntry['action']) {
  if (action === 'note') return 'noted';
  if (action === 'approve') return 'approvedPoints';
  return action === 'revoke' ? 'revokedPoints' : action;
}

/** Entries of the audit log; `linked` if they belong to several cases. */
export function AuditLines({ lines, linked = false }: { lines: AuditEntry[]; linked?: boolean }) {
  const t = useTranslations();
  if (lines.length === 0) return <p>{t('noAudit')}</p>;
  return (
    <ul className={classes.said}>
      {lines.map(({ id, caseId, title = '', template, action, by, at, until, note, reason }) => (
        <li key={id}>
          <strong>{t(actionLabel(action))}</strong>
          {until && `, ${dayOf(until)}`}
          {linked && (
            <>
              {' '}
              <Link to={pathTo(caseId)}>{nameOf({ name: title, template }) || caseId}</Link>
            </>
          )}
          {reason && <GivenReason reason={reason} />}
          {note && <p>{note}</p>}
          <div className={classes.quiet}>
            {by?.username ?? t(action === 'hide' ? 'byReports' : 'somebody')}, {relativeTime(at, serverNow())}
          </div>
        </li>
      ))}
    </ul>
  );
}
