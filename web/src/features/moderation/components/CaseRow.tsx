import type { ModerationCase } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { dayOf } from '../../../entities/reports/translations.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

/** Returns a function for the short state of a case. */
export function useStateOf(): (moderationCase: ModerationCase) => string {
  const t = useTranslations();
  return ({ weight, reports, state, suspendedUntil, appeal, respondBy, open }) =>
    [
      t('weighs', { weight }),
      t('reports', { count: reports }),
      suspendedUntil && Date.parse(suspendedUntil) > Date.now()
        ? t('isSuspended', { day: dayOf(suspendedUntil) })
        : t(state),
      open && appeal && t('hasAppeal'),
      respondBy && t('respondBy', { day: dayOf(respondBy) }),
    ]
      .filter(Boolean)
      .join(' · ');
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
  const { kind, snapshot, openedAt } = moderationCase;
  return (
    <li>
      <Link className={classes.row ?? ''} to={to} aria-current={current || undefined}>
        <span className={classes.words}>
          <span className={classes.quiet}>
            {t(kind)} · {relativeTime(openedAt, Date.now())}
          </span>
          <strong>{snapshot.title || snapshot.text}</strong>
          <span className={classes.quiet}>{stateOf(moderationCase)}</span>
        </span>
      </Link>
    </li>
  );
}
