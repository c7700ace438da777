import { Button, Skeleton, TextInput } from '@mantine/core';
import { type InvitationSummary, invitationLimits, textLimits } from '@wayquest/contracts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { dayOf } from '../../../shared/lib/moments.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import classes from '../Administration.module.css';
import { useTranslations } from '../translations.ts';
import { Secret } from './Secret.tsx';

const emptyFields = { uses: '1', days: '7', note: '' };

/** Makes an invitation, and shows its link. */
function NewInvitation() {
  const t = useTranslations();
  const creating = useMutation('createInvitation');
  const [fields, setFields] = useState(emptyFields);
  const [path, setPath] = useState<string>();
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    setPath(undefined);
    const body = { ...fields, uses: Number(fields.uses), days: Number(fields.days) };
    creating.send({ body }, ({ code }) => {
      setFields(emptyFields);
      setPath(`/signup?invitation=${code}`);
    });
  };
  const numberField = (name: 'uses' | 'days', label: string) => (
    <TextInput
      type="number"
      name={name}
      label={label}
      min={1}
      max={invitationLimits[name]}
      required
      withAsterisk={false}
      value={fields[name]}
      onChange={({ currentTarget }) => setFields({ ...fields, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      <form className={classes.form} onSubmit={submitted} aria-label={t('invite')}>
        {numberField('uses', t('uses'))}
        {numberField('days', t('validDays'))}
        <LimitedTextInput
          limit={textLimits.invitationNote}
          name="note"
          label={t('invitationNote')}
          description={t('invitationNoteHint')}
          autoComplete="off"
          value={fields.note}
          onChange={({ currentTarget }) => setFields({ ...fields, note: currentTarget.value })}
        />
        <Button type="submit" loading={creating.state === 'loading'}>
          {t('invite')}
        </Button>
      </form>
      <FormError>{creating.error}</FormError>
      {path && <Secret path={path}>{t('invited')}</Secret>}
    </>
  );
}

/** An invitation, which can be withdrawn. */
function InvitationRow({ invitation }: { invitation: InvitationSummary }) {
  const t = useTranslations();
  const aboutId = useId();
  const question = useRef<HTMLDialogElement>(null);
  const withdrawing = useMutation('revokeInvitation');
  const { id, uses, usesLeft, expiresAt, note } = invitation;
  return (
    <li className={classes.row}>
      <div className={classes.words} id={aboutId}>
        <strong>{note || t('unnamed')}</strong>
        <span className={classes.quiet}>
          {t('left', { left: usesLeft, uses })} · {t('until', { day: dayOf(expiresAt) })}
        </span>
      </div>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        aria-describedby={aboutId}
        onClick={() => question.current?.showModal()}
      >
        {t('withdraw')}
      </Button>
      <ConfirmDialog
        ref={question}
        title={t('withdrawTitle')}
        confirmLabel={t('withdraw')}
        cancelLabel={t('cancel')}
        busy={withdrawing.state === 'loading'}
        onConfirm={() => withdrawing.send({ params: { id } }, () => question.current?.close())}
      >
        <p>{t('withdrawWarning')}</p>
        <FormError>{withdrawing.error}</FormError>
      </ConfirmDialog>
    </li>
  );
}

/** The invitations to sign up. */
export function Invitations() {
  const t = useTranslations();
  const invitations = useResource('listInvitations', {});
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <section className={classes.card} aria-label={t('invitations')}>
      <h2>{t('invitations')}</h2>
      <p className={classes.quiet}>{t('invitationsLead')}</p>
      <NewInvitation />
      <div {...focusFallback}>
        <Loaded
          of={invitations}
          pending={<Skeleton height={72} radius="md" />}
          empty={<p>{t('noInvitations')}</p>}
        >
          {(all) => (
            <ul className={classes.list}>
              {all.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </section>
  );
}
