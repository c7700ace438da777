import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { type Challenge, type Puzzle, textLimits } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { dayOf } from '../../shared/lib/moments.ts';
import { useSaga } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { noticed } from '../../shared/notice/notice-slice.ts';
import type { Deps } from '../../shared/saga/deps.ts';
import { request } from '../../shared/saga/request.ts';
import { LimitedTextarea, LimitedTextInput } from '../../shared/ui/limited-text.tsx';
import { usePersistedFields } from '../auth/form-draft.ts';
import { selectUser } from '../auth/slice.ts';
import { FormDialog } from './FormDialog.tsx';
import { ReportButton } from './ReportButton.tsx';
import classes from './Reports.module.css';
import { useTranslations } from './translations.ts';

const emptyFields = { comment: '', email: '' };

/** Hashes per batch: the page can respond between batches. */
const batchSize = 1_000;

const startsWithZeros = (hash: ArrayBuffer, bits: number): boolean =>
  new DataView(hash).getUint32(0) >>> (32 - bits) === 0;

/** Finds the number that solves a proof of work. It takes about a second. */
async function solve({ nonce, bits }: Pick<Puzzle, 'nonce' | 'bits'>): Promise<number> {
  const encoder = new TextEncoder();
  for (let from = 0; ; from += batchSize) {
    const hashes = await Promise.all(
      Array.from({ length: batchSize }, (_, nth) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${nonce}:${from + nth}`)),
      ),
    );
    const found = hashes.findIndex((hash) => startsWithZeros(hash, bits));
    if (found !== -1) return from + found;
  }
}

const requestForPlace = (deps: Deps, fields: { challengeId: number; comment: string; email: string }) =>
  request(deps, async (api) => {
    const { nonce, bits } = await api.getPuzzle();
    const solution = await solve({ nonce, bits });
    return api.requestForPlace({ body: { ...fields, nonce, solution } });
  });

function TakedownDialog({ challengeId, onClose }: { challengeId: number; onClose: () => void }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const sending = useSaga(requestForPlace);
  const [fields, setFields] = usePersistedFields(`place-of-${challengeId}`, emptyFields);
  const puzzle = useResource('getPuzzle', {}).data;
  const secure = 'subtle' in crypto;
  const send = () =>
    secure &&
    sending.send({ challengeId, ...fields }, ({ respondBy }) => {
      setFields(emptyFields);
      dispatch(noticed({ text: t('received', { day: dayOf(respondBy) }), tone: 'good' }));
      onClose();
    });
  return (
    <FormDialog
      title={t('myPlace')}
      state={sending.state}
      error={secure ? sending.error : t('noCrypto')}
      onSubmit={send}
      onClose={onClose}
    >
      <p>
        {t('myPlaceDescription')} {puzzle && t('answered', { count: puzzle.responseDays })}
      </p>
      <LimitedTextarea
        name="comment"
        value={fields.comment}
        onChange={({ currentTarget }) => setFields({ ...fields, comment: currentTarget.value })}
        label={t('reason')}
        rows={3}
        limit={textLimits.report}
        required
        withAsterisk={false}
      />
      <LimitedTextInput
        limit={textLimits.requesterEmail}
        name="email"
        value={fields.email}
        onChange={({ currentTarget }) => setFields({ ...fields, email: currentTarget.value })}
        type="email"
        label={t('email')}
        description={t('emailDescription')}
        autoComplete="email"
        required
        withAsterisk={false}
      />
    </FormDialog>
  );
}

/** A form for the owner of a challenge's place, with an account or without, to request its removal. */
function TakedownRequest({ challengeId }: { challengeId: number }) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpen(true)}>
        {t('myPlace')}
      </Button>
      {open && <TakedownDialog challengeId={challengeId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The actions against a challenge: report it, or request its removal as the place's owner. */
export function ChallengeReportActions({ challenge: { id, creator } }: { challenge: Challenge }) {
  const me = useSelector(selectUser);
  if (me?.id === creator.id) return null;
  return (
    <div className={classes.about}>
      {me && <ReportButton kind="challenge" id={id} />}
      <TakedownRequest challengeId={id} />
    </div>
  );
}
