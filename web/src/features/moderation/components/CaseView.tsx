import { Button, Skeleton, TextInput } from '@mantine/core';
import {
  type CaseDetails,
  maxSuspensionDays,
  type OperationInput,
  type Operations,
  textLimits,
} from '@wayquest/contracts';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { EntryPhoto } from '../../../entities/challenge-log/EntryPhoto.tsx';
import { useTranslations as useReportTranslations } from '../../../entities/reports/translations.ts';
import { serverNow } from '../../../shared/lib/server-time.ts';
import { relativeTime } from '../../../shared/lib/time.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { LimitedTextarea } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';
import { AuditLines, textsOfCase, useStateOf } from './rows.tsx';

const emptyFields = { note: '', reason: '' };

type Action = OperationInput<Operations['decide']>['body']['action'];

function DecisionForm({
  moderationCase,
  onDecided,
}: {
  moderationCase: CaseDetails;
  onDecided: (moderationCase: CaseDetails) => void;
}) {
  const t = useTranslations();
  const [fields, write] = usePersistedFields(`case-${moderationCase.id}`, emptyFields);
  const [text, setText] = useState('7');
  const days = Number(text);
  const deciding = useMutation('decide');
  const focusFallback = useFocusFallback<HTMLElement>();
  const { id, kind, state, suspendedUntil } = moderationCase;
  const isInEffect =
    state === 'hidden' || (suspendedUntil !== null && Date.parse(suspendedUntil) > serverNow());
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const daysField = useRef<HTMLInputElement>(null);
  /** What is asked about before it is done. */
  const [asked, setAsked] = useState<'delete' | 'suspend'>('delete');
  const question = useRef<HTMLDialogElement>(null);
  const [isHiddenNow, setHiddenNow] = useState(false);
  const hasOwner = moderationCase.affectedUser !== null;
  const decide = (action: Action) => {
    const texts = action === 'note' || !hasOwner ? { note: fields.note } : fields;
    const body = { action, ...texts, ...(action === 'suspend' && { days }) };
    deciding.send({ params: { id }, body }, (decided) => {
      question.current?.close();
      write(action === 'note' ? { ...fields, note: '' } : emptyFields);
      setHiddenNow(action === 'hide');
      onDecided(decided);
    });
  };
  // What was typed since is about another decision.
  const undo = () =>
    deciding.send({ params: { id }, body: { action: 'restore' } }, (decided) => {
      setHiddenNow(false);
      onDecided(decided);
    });
  const press = (action: Action) => {
    // The other decisions need no note.
    if (noteField.current) noteField.current.required = action === 'note';
    if (action !== 'note' && reasonField.current?.reportValidity() === false) return;
    if (!noteField.current?.reportValidity()) return;
    if (action === 'suspend' && !daysField.current?.reportValidity()) return;
    if (action !== 'delete' && action !== 'suspend') return decide(action);
    setAsked(action);
    question.current?.showModal();
  };
  const button = (action: Action, label: string) => (
    <Button
      variant="default"
      {...((action === 'delete' || action === 'suspend') && { c: 'var(--mantine-color-error)' })}
      disabled={deciding.state === 'loading'}
      onClick={() => press(action)}
    >
      {label}
    </Button>
  );
  return (
    <section className={classes.decide} aria-label={t('decide')} {...focusFallback}>
      <h3>{t('decide')}</h3>
      {hasOwner && (
        <LimitedTextarea
          ref={reasonField}
          label={t('reasonShown')}
          rows={2}
          limit={textLimits.report}
          value={fields.reason}
          onChange={({ currentTarget }) => write({ ...fields, reason: currentTarget.value })}
        />
      )}
      <LimitedTextarea
        ref={noteField}
        label={t('note')}
        rows={2}
        limit={textLimits.report}
        value={fields.note}
        onChange={({ currentTarget }) => write({ ...fields, note: currentTarget.value })}
      />
      <div className={classes.actions}>
        {button('dismiss', t(isInEffect ? 'restore' : 'dismiss'))}
        {isInEffect && button('uphold', t('uphold'))}
        {kind !== 'user' && state === 'live' && button('hide', t('hide'))}
        {kind !== 'user' && state !== 'deleted' && button('delete', t('delete'))}
        {button('note', t('addNote'))}
      </div>
      {hasOwner && (
        <div className={classes.actions}>
          <TextInput
            ref={daysField}
            type="number"
            required
            withAsterisk={false}
            className={classes.days ?? ''}
            label={t('days')}
            min={1}
            max={maxSuspensionDays}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {button('suspend', t('suspend'))}
        </div>
      )}
      <p role="status">
        {isHiddenNow && state === 'hidden' && (
          <>
            {t('isHiddenNow')}
            <Button variant="subtle" onClick={undo}>
              {t('undo')}
            </Button>
          </>
        )}
      </p>
      <FormError>{deciding.error}</FormError>
      <ConfirmDialog
        ref={question}
        title={t(asked === 'delete' ? 'deleteTitle' : 'suspendTitle')}
        confirmLabel={t(asked)}
        cancelLabel={t('cancel')}
        busy={deciding.state === 'loading'}
        onConfirm={() => decide(asked)}
      >
        <p>
          {asked === 'delete'
            ? t('deleteWarning')
            : t('suspendWarning', { username: moderationCase.affectedUser?.username ?? '', days })}
        </p>
        <FormError>{deciding.error}</FormError>
      </ConfirmDialog>
    </section>
  );
}

function pathTo({ kind, subjectId }: CaseDetails): string | null {
  if (kind === 'challenge') return `/challenges/${subjectId}`;
  return kind === 'user' ? `/users/${subjectId}` : null;
}

/** The current note and photo of a reported log entry, with a link to its challenge. */
function ReportedEntry({ id }: { id: number }) {
  const t = useTranslations();
  const query = useResource('getLogEntry', { params: { id } });
  if (!query.data) return <Loaded of={query} pending={<Skeleton height={44} />} />;
  const { photo, challengeId } = query.data;
  return (
    <>
      {photo && <EntryPhoto entry={query.data} photo={photo} />}
      <p>
        <Link to={`/challenges/${challengeId}`}>{t('open')}</Link>
      </p>
    </>
  );
}

/** A case with its reports, past decisions, and possible ones. */
export function CaseView({ id }: { id: string }) {
  const t = useTranslations();
  const ofReports = useReportTranslations();
  const stateOf = useStateOf();
  const query = useResource('getCase', { params: { id } });
  const moderationCase = query.data;
  const card = useRef<HTMLElement>(null);
  const isLoaded = moderationCase !== null;
  // Takes the focus, since on a phone the selected row is gone.
  useEffect(() => {
    if (isLoaded) card.current?.focus();
  }, [isLoaded]);
  const pending = <Skeleton height={420} radius="lg" mt={24} />;
  if (!moderationCase) return <Loaded of={query} pending={pending} />;
  const { kind, subjectId, snapshot, affectedUser, appeal, filed, audit } = moderationCase;
  const path = pathTo(moderationCase);
  const { title, text } = textsOfCase(moderationCase);
  return (
    <article ref={card} tabIndex={-1} className={classes.card}>
      <span className={classes.quiet}>{t(kind)}</span>
      <h2>{title || text}</h2>
      <p className={classes.quiet}>{stateOf(moderationCase, filed.length)}</p>
      {title && text && <p>{text}</p>}
      {snapshot.place && <p>{snapshot.place}</p>}
      {kind === 'completion' && <ReportedEntry id={subjectId} />}
      <p>
        {affectedUser && (
          <>
            {t('affectedUser')} <Link to={`/users/${affectedUser.id}`}>{affectedUser.username}</Link>
            {path && ' · '}
          </>
        )}
        {path && <Link to={path}>{t('open')}</Link>}
      </p>
      {appeal?.comment && (
        <>
          <h3>{t('appealText')}</h3>
          <p>{appeal.comment}</p>
        </>
      )}
      <DecisionForm moderationCase={moderationCase} onDecided={query.replace} />
      <h3>{t('allReports')}</h3>
      <ul className={classes.said}>
        {filed.map(({ id: reportId, by, reason, comment, at, email, counts }) => (
          <li key={reportId}>
            <strong>{reason === 'place' ? t(reason) : ofReports(reason)}</strong>
            {comment && <p>{comment}</p>}
            <div className={classes.quiet}>
              {by ? <Link to={`/users/${by.id}`}>{by.username}</Link> : (email ?? t('somebody'))} ·{' '}
              {relativeTime(at, serverNow())}
              {!counts && reason !== 'place' && ` · ${t('notCounted')}`}
            </div>
          </li>
        ))}
      </ul>
      <h3>{t('audit')}</h3>
      <AuditLines lines={audit} />
    </article>
  );
}
