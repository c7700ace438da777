import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import { LimitedTextarea } from '../../shared/ui/limited-text.tsx';
import { usePersistedFields } from '../auth/form-draft.ts';
import { FormDialog } from './FormDialog.tsx';
import { useTranslations } from './translations.ts';

const emptyFields = { words: '' };

/** Appeals against a decision, once. */
export function AppealButton({
  caseId,
  disabled = false,
  onDone,
}: {
  caseId: string;
  /** While it is loaded whether an appeal exists. */
  disabled?: boolean;
  onDone: () => void;
}) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [open, setOpen] = useState(false);
  const appealing = useMutation();
  const [fields, setFields] = usePersistedFields(`appeal-${caseId}`, emptyFields);
  const send = () =>
    void appealing.mutate(
      (client) => client.appeal({ body: { caseId, words: fields.words } }),
      () => {
        setFields(emptyFields);
        dispatch(noticed({ text: t('appealed'), tone: 'good' }));
        setOpen(false);
        onDone();
      },
    );
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
            name="words"
            value={fields.words}
            onChange={({ currentTarget }) => setFields({ words: currentTarget.value })}
            label={t('appealWords')}
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
