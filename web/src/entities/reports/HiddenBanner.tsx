import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { type Challenge, textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { LimitedTextarea } from '../../shared/ui/limited-text.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { usePersistedFields } from '../auth/form-draft.ts';
import { selectUser } from '../auth/slice.ts';
import { FormDialog } from './FormDialog.tsx';
import { GivenReason } from './GivenReason.tsx';
import classes from './Reports.module.css';
import { useTranslations } from './translations.ts';

const emptyFields = { comment: '' };

/** Appeals against a decision, once. */
export function AppealButton({
  caseId,
  disabled = false,
}: {
  caseId: string;
  /** While it is loaded whether an appeal exists. */
  disabled?: boolean;
}) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [open, setOpen] = useState(false);
  const appealing = useMutation('appeal');
  const [fields, setFields] = usePersistedFields(`appeal-${caseId}`, emptyFields);
  const send = () =>
    appealing.send({ body: { caseId, comment: fields.comment } }, () => {
      setFields(emptyFields);
      dispatch(noticed({ text: t('appealed'), tone: 'good' }));
      setOpen(false);
    });
  return (
    <>
      <Button variant="default" disabled={disabled} onClick={() => setOpen(true)}>
        {t('appeal')}
      </Button>
      {open && (
        <FormDialog
          title={t('appeal')}
          state={appealing.state}
          error={appealing.error}
          onSubmit={send}
          onClose={() => setOpen(false)}
        >
          <LimitedTextarea
            name="comment"
            value={fields.comment}
            onChange={({ currentTarget }) => setFields({ comment: currentTarget.value })}
            label={t('appealComment')}
            rows={4}
            limit={textLimits.report}
            required
            withAsterisk={false}
          />
        </FormDialog>
      )}
    </>
  );
}

/** Tells the creator and admins that a challenge is hidden; the creator can appeal here. */
export function HiddenBanner({ challenge: { id, creator } }: { challenge: Challenge }) {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const focusFallback = useFocusFallback<HTMLElement>();
  const own = me?.id === creator.id;
  const caseId = `challenge-${id}`;
  const decisions = useResource('listOwnDecisions', own ? {} : null);
  const ofCase = decisions.data?.filter((each) => each.caseId === caseId);
  const mayAppeal = ofCase?.some((each) => each.mayAppeal);
  // The newest first: reports hide a challenge until an admin has reviewed them.
  const isReviewed = ofCase?.find(({ action }) => action !== 'appeal')?.byReports === false;
  // An appeal may have been rejected since without another one.
  const reason = ofCase
    ?.slice(0, 1 + ofCase.findIndex(({ action }) => action === 'hide'))
    .find((each) => each.reason)?.reason;
  const title = isReviewed ? 'hiddenReviewedTitle' : 'hiddenTitle';
  const ownDescription = isReviewed
    ? mayAppeal
      ? 'hiddenReviewed'
      : 'hiddenReviewedAppealed'
    : mayAppeal === false
      ? 'hiddenAppealed'
      : 'hiddenYours';
  return (
    <aside className={classes.banner} aria-label={t(title)} {...focusFallback}>
      <IconEyeOff size={24} stroke={1.75} aria-hidden />
      <div>
        <strong>{t(title)}</strong>
        <p>{t(own ? ownDescription : 'hiddenDescription')}</p>
        {reason && <GivenReason reason={reason} />}
      </div>
      {own && mayAppeal !== false && <AppealButton caseId={caseId} disabled={!mayAppeal} />}
      {me?.admin && (
        <Button variant="default" component={Link} to={`/moderation?case=${caseId}`}>
          {t('look')}
        </Button>
      )}
    </aside>
  );
}
