import { Button, TextInput } from '@mantine/core';
import { type ManagedAccount, maxSuspensionDays, textLimits } from '@wayquest/contracts';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { selectUser } from '../../../entities/auth/slice.ts';
import { FormDialog } from '../../../entities/reports/FormDialog.tsx';
import { dayOf } from '../../../shared/lib/moments.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { LimitedTextarea } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import classes from '../Administration.module.css';
import { useTranslations } from '../translations.ts';
import { passwordPath, Secret } from './Secret.tsx';

/** Says at the edge of the page what was done. */
function useDone(): (text: string) => void {
  const dispatch = useDispatch();
  return (text) => void dispatch(noticed({ text, tone: 'good' }));
}

/** A button, and the question before what it does. */
function AskedButton({
  label,
  title,
  warning,
  aboutId,
  busy,
  error,
  harmless = false,
  onConfirm,
}: {
  label: string;
  title: string;
  warning: string;
  /** The element that names the account. */
  aboutId: string;
  busy: boolean;
  error: string | null;
  harmless?: boolean;
  /** Does it, then closes the question. */
  onConfirm: (close: () => void) => void;
}) {
  const t = useTranslations();
  const question = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        variant="default"
        {...(!harmless && { c: 'var(--mantine-color-error)' })}
        aria-describedby={aboutId}
        onClick={() => question.current?.showModal()}
      >
        {label}
      </Button>
      <ConfirmDialog
        ref={question}
        title={title}
        confirmLabel={label}
        cancelLabel={t('cancel')}
        busy={busy}
        harmless={harmless}
        onConfirm={() => onConfirm(() => question.current?.close())}
      >
        <p>{warning}</p>
        <FormError>{error}</FormError>
      </ConfirmDialog>
    </>
  );
}

interface ActionsProps {
  account: ManagedAccount;
  aboutId: string;
}

/** What an admin decides about an account that waits for approval. */
function Decision({ account: { id, username }, aboutId }: ActionsProps) {
  const t = useTranslations();
  const done = useDone();
  const approving = useMutation('approveAccount');
  const declining = useMutation('declineAccount');
  const params = { id };
  return (
    <>
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-describedby={aboutId}
          loading={approving.state === 'loading'}
          onClick={() => approving.send({ params }, () => done(t('approved', { username })))}
        >
          {t('approve')}
        </Button>
        <AskedButton
          label={t('decline')}
          title={t('declineTitle', { username })}
          warning={t('declineWarning')}
          aboutId={aboutId}
          busy={declining.state === 'loading'}
          error={declining.error}
          onConfirm={(close) =>
            declining.send({ params }, () => {
              close();
              done(t('declined', { username }));
            })
          }
        />
      </div>
      <FormError>{approving.error}</FormError>
    </>
  );
}

/** Grants or revokes admin rights. */
function RightsButton({ account: { id, username, admin }, aboutId }: ActionsProps) {
  const t = useTranslations();
  const done = useDone();
  const changing = useMutation('changeRights');
  return (
    <AskedButton
      label={t(admin ? 'revoke' : 'grant')}
      title={t(admin ? 'revokeTitle' : 'grantTitle', { username })}
      warning={t(admin ? 'revokeWarning' : 'grantWarning', { username })}
      aboutId={aboutId}
      busy={changing.state === 'loading'}
      error={changing.error}
      harmless={!admin}
      onConfirm={(close) =>
        changing.send({ params: { id }, body: { admin: !admin } }, (changed) => {
          close();
          done(t(changed.admin ? 'granted' : 'revoked', { username }));
        })
      }
    />
  );
}

const noTexts = { note: '', reason: '' };

interface SuspensionProps extends ActionsProps {
  suspendedUntil: string | null;
  onChanged: (suspendedUntil: string | null) => void;
}

/** Suspends the account, or lifts that. Both are decisions of moderation, in the case of the person. */
function Suspension({ account: { id, username }, aboutId, suspendedUntil, onChanged }: SuspensionProps) {
  const t = useTranslations();
  const done = useDone();
  const deciding = useMutation('decide');
  const [days, setDays] = useState('7');
  const [fields, write] = usePersistedFields(`account-${id}`, noTexts);
  const [isAsked, setAsked] = useState(false);
  const params = { id: `user-${id}` };
  const restore = () =>
    deciding.send({ params, body: { action: 'restore' } }, () => {
      onChanged(null);
      done(t('restored', { username }));
    });
  const suspend = () =>
    deciding.send({ params, body: { action: 'suspend', days: Number(days), ...fields } }, (decided) => {
      setAsked(false);
      write(noTexts);
      onChanged(decided.suspendedUntil);
    });
  if (suspendedUntil) {
    return (
      <>
        <Button
          variant="default"
          aria-describedby={aboutId}
          loading={deciding.state === 'loading'}
          onClick={restore}
        >
          {t('restore')}
        </Button>
        <Button
          component={Link}
          to={`/moderation?case=user-${id}`}
          variant="default"
          aria-describedby={aboutId}
        >
          {t('caseLink')}
        </Button>
        <FormError>{deciding.error}</FormError>
      </>
    );
  }
  return (
    <>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        aria-describedby={aboutId}
        onClick={() => setAsked(true)}
      >
        {t('suspend')}
      </Button>
      {isAsked && (
        <FormDialog
          title={t('suspendTitle', { username })}
          submitLabel={t('suspend')}
          isDestructive
          state={deciding.state}
          error={deciding.error}
          onSubmit={suspend}
          onClose={() => setAsked(false)}
        >
          <p>{t('suspendWarning')}</p>
          <TextInput
            type="number"
            label={t('days')}
            min={1}
            max={maxSuspensionDays}
            required
            withAsterisk={false}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
          />
          {(['reason', 'note'] as const).map((field) => (
            <LimitedTextarea
              key={field}
              label={t(field)}
              rows={2}
              limit={textLimits.report}
              value={fields[field]}
              onChange={({ currentTarget }) => write({ ...fields, [field]: currentTarget.value })}
            />
          ))}
        </FormDialog>
      )}
    </>
  );
}

/** What an admin can do with the account of somebody else. */
function Management({ account, aboutId, suspendedUntil, onChanged }: SuspensionProps) {
  const t = useTranslations();
  const { id, username } = account;
  const linking = useMutation('createPasswordLink');
  const [result, setResult] = useState<{ path: string | undefined; text: string }>();
  const createLink = () =>
    linking.send({ params: { id } }, ({ token, mailedTo = '' }) =>
      setResult({
        path: passwordPath({ token }),
        text: token ? t('linkMade', { username }) : t('linkMailed', { username, email: mailedTo }),
      }),
    );
  return (
    <>
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-describedby={aboutId}
          loading={linking.state === 'loading'}
          onClick={createLink}
        >
          {t('passwordLink')}
        </Button>
        <RightsButton account={account} aboutId={aboutId} />
        <Suspension
          account={account}
          aboutId={aboutId}
          suspendedUntil={suspendedUntil}
          onChanged={onChanged}
        />
      </div>
      <FormError>{linking.error}</FormError>
      {result && <Secret path={result.path}>{result.text}</Secret>}
    </>
  );
}

/** An account in the list, with what can be done with it. */
export function AccountRow({ account }: { account: ManagedAccount }) {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const aboutId = useId();
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const { id, username, email, registeredAt, admin, waitingUntil, deletesAt } = account;
  /** A decision of moderation reaches the account by an event, so its result is shown. */
  const [decided, setDecided] = useState<{ suspendedUntil: string | null }>();
  const { suspendedUntil } = decided ?? account;
  const isSuspended = suspendedUntil !== null && Date.parse(suspendedUntil) > serverNow();
  const states: ReactNode[] = [
    registeredAt && t('since', { day: dayOf(registeredAt) }),
    admin && t('isAdmin'),
    waitingUntil && t('isWaiting', { day: dayOf(waitingUntil) }),
    isSuspended && t('isSuspended', { day: dayOf(suspendedUntil) }),
    deletesAt && t('isDeleted', { day: dayOf(deletesAt) }),
  ];
  return (
    <li className={classes.row} {...focusFallback}>
      <div className={classes.words}>
        <span id={aboutId}>
          {/* Nobody else knows of it yet, so it has no page. */}
          {waitingUntil ? <strong>{username}</strong> : <Link to={`/users/${id}`}>{username}</Link>}
        </span>
        {email && <span className={classes.quiet}>{email}</span>}
        <span className={classes.quiet}>{states.filter(Boolean).join(' · ')}</span>
      </div>
      {waitingUntil && <Decision account={account} aboutId={aboutId} />}
      {!waitingUntil && id !== me?.id && (
        <details className={classes.manage}>
          <summary aria-describedby={aboutId}>{t('manage')}</summary>
          <Management
            account={account}
            aboutId={aboutId}
            suspendedUntil={isSuspended ? suspendedUntil : null}
            onChanged={(until) => setDecided({ suspendedUntil: until })}
          />
        </details>
      )}
    </li>
  );
}
