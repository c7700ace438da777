import { Button } from '@mantine/core';
import { type FlaggedAward, textLimits, wayquestCreator } from '@wayquest/contracts';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { FormDialog } from '../../../entities/reports/FormDialog.tsx';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { LimitedTextarea } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';
import { PagedList } from './PagedList.tsx';

/** Labels of the reasons. Older versions flagged pairs only, without a reason. */
const reasons = {
  pair: 'reasonPair',
  farming: 'reasonFarming',
  travel: 'reasonTravel',
  pace: 'reasonPace',
} as const;

/** The result, shown in place of the buttons; it takes their focus. */
function Outcome({ children }: { children: string }) {
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => outcome.current?.focus(), []);
  return (
    <p ref={outcome} tabIndex={-1} className={classes.outcome}>
      {children}
    </p>
  );
}

const emptyFields = { reason: '' };

/** An award under review, with the possible decisions. */
function FlaggedRow({ award }: { award: FlaggedAward }) {
  const t = useTranslations();
  const aboutId = useId();
  const [outcome, setOutcome] = useState<'pointsApproved' | 'pointsAreRevoked' | null>(null);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const approving = useMutation('approveAward');
  const revoking = useMutation('revokeAward');
  const {
    userId,
    challengeId,
    creatorId,
    user,
    creator,
    title,
    points,
    flaggedAt,
    flagReason = 'pair',
  } = award;
  const [fields, setFields] = usePersistedFields(`points-${userId}-${challengeId}`, emptyFields);
  const decided = (result: 'pointsApproved' | 'pointsAreRevoked') => () => {
    setDialogOpen(false);
    setFields(emptyFields);
    setOutcome(result);
  };
  const params = { userId: String(userId), challengeId: String(challengeId) };
  const isDeciding = approving.state === 'loading' || revoking.state === 'loading';
  return (
    <li className={classes.row}>
      <div className={classes.words} id={aboutId}>
        <span>
          <Link to={`/users/${userId}`}>{user?.username ?? t('somebody')}</Link> ·{' '}
          <strong>{t('somePoints', { count: points })}</strong>
        </span>
        <span>
          <Link to={`/challenges/${challengeId}`}>{title || t('challenge')}</Link>
          {creatorId && creatorId !== wayquestCreator.id && (
            <>
              {' · '}
              {t('madeBy')} <Link to={`/users/${creatorId}`}>{creator?.username ?? t('somebody')}</Link>
            </>
          )}
        </span>
        <span className={classes.quiet}>{t(reasons[flagReason])}</span>
        <time className={classes.quiet} dateTime={flaggedAt}>
          {relativeTime(flaggedAt, serverNow())}
        </time>
      </div>
      {outcome ? (
        <Outcome>{t(outcome)}</Outcome>
      ) : (
        <div className={classes.actions}>
          <Button
            variant="default"
            aria-describedby={aboutId}
            disabled={isDeciding}
            onClick={() => approving.send({ params }, decided('pointsApproved'))}
          >
            {t('approve')}
          </Button>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            aria-describedby={aboutId}
            disabled={isDeciding}
            onClick={() => setDialogOpen(true)}
          >
            {t('revoke')}
          </Button>
        </div>
      )}
      {!isDialogOpen && <FormError>{approving.error ?? revoking.error}</FormError>}
      {isDialogOpen && (
        <FormDialog
          title={t('revokeTitle')}
          submitLabel={t('revoke')}
          isDestructive
          state={revoking.state}
          error={revoking.error}
          onSubmit={() => revoking.send({ params, body: fields }, decided('pointsAreRevoked'))}
          onClose={() => setDialogOpen(false)}
        >
          <LimitedTextarea
            name="reason"
            value={fields.reason}
            onChange={({ currentTarget }) => setFields({ reason: currentTarget.value })}
            label={t('reasonShown')}
            rows={4}
            limit={textLimits.report}
            required
            withAsterisk={false}
          />
        </FormDialog>
      )}
    </li>
  );
}

/** Awards under review, which are not in monthly rankings until an admin decides. */
export function FlaggedPoints() {
  const t = useTranslations();
  const awards = useResource('listFlaggedAwards', { query: { limit: 20 } });
  return (
    <PagedList of={awards} none={t('noPoints')}>
      {(award) => <FlaggedRow key={`${award.userId}:${award.challengeId}`} award={award} />}
    </PagedList>
  );
}
