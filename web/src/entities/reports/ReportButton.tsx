import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { reportReasons, type SubjectKind, textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { parseOption } from '../../shared/lib/query-params.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { LimitedTextarea } from '../../shared/ui/limited-text.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { useValidity } from '../../shared/ui/validity.tsx';
import { usePersistedFields } from '../auth/form-draft.ts';
import classes from './FormDialog.module.css';
import { FormDialog } from './FormDialog.tsx';
import { useTranslations } from './translations.ts';

/** The subject of a report. */
export interface ReportProps {
  kind: SubjectKind;
  id: number;
  conversationId?: number;
}

const emptyFields = { reason: '', comment: '' };

/** The form of a report, which is open while it is mounted. */
export function ReportDialog({ onClose, ...subject }: ReportProps & { onClose: () => void }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const sending = useMutation('report');
  const validity = useValidity<HTMLInputElement>();
  const [fields, setFields] = usePersistedFields(`report-${subject.kind}-${subject.id}`, emptyFields);
  const send = () => {
    const reason = parseOption(reportReasons, fields.reason);
    if (!reason) return;
    const body = { ...subject, reason, comment: fields.comment };
    sending.send({ body }, () => {
      setFields(emptyFields);
      dispatch(noticed({ text: t('reported'), tone: 'good' }));
      onClose();
    });
  };
  return (
    <FormDialog
      title={t('reportTitle')}
      state={sending.state}
      error={sending.error}
      onSubmit={send}
      onClose={onClose}
    >
      <fieldset className={classes.reasons} aria-label={t('reportTitle')}>
        {reportReasons.map((reason) => (
          <label key={reason}>
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={fields.reason === reason}
              onChange={() => {
                validity.clear();
                setFields({ ...fields, reason });
              }}
              required
              onInvalid={validity.onInvalid}
            />
            {t(reason)}
          </label>
        ))}
        <FormError>{validity.error ?? null}</FormError>
      </fieldset>
      <LimitedTextarea
        name="comment"
        value={fields.comment}
        onChange={({ currentTarget }) => setFields({ ...fields, comment: currentTarget.value })}
        label={t('comment')}
        rows={3}
        limit={textLimits.report}
      />
    </FormDialog>
  );
}

/** Subjects whose button is an icon only, with its accessible name. */
const iconLabels: Partial<Record<SubjectKind, 'reportEntry'>> = { completion: 'reportEntry' };

/** Reports something to admins. */
export function ReportButton(subject: ReportProps) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const iconLabel = iconLabels[subject.kind];
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        {...(iconLabel
          ? { 'aria-label': t(iconLabel), c: 'dimmed', px: 14, mih: 44 }
          : { leftSection: <IconFlag size={18} aria-hidden /> })}
        onClick={() => setOpen(true)}
      >
        {iconLabel ? <IconFlag size={16} aria-hidden /> : t('report')}
      </Button>
      {open && <ReportDialog {...subject} onClose={() => setOpen(false)} />}
    </>
  );
}
