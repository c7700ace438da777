import '@mantine/core/styles/Input.layer.css';
import { Button, FileButton } from '@mantine/core';
import { IconCamera, IconClock, IconPencil } from '@tabler/icons-react';
import { type LogEntry, textLimits } from '@wayquest/contracts';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { dataUrlOf } from '../../shared/lib/data-urls.ts';
import { photoShape, pictureProblemSentence, shrinkPicture } from '../../shared/lib/pictures.ts';
import type { UnsentEntry } from '../../shared/lib/unsent-items.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { LimitedTextarea } from '../../shared/ui/limited-text.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { usePersistedFields } from '../auth/form-draft.ts';
import { EntryPhoto } from './EntryPhoto.tsx';
import classes from './OwnEntry.module.css';
import {
  entryOpened,
  entrySubmitted,
  type OwnEntriesPart,
  selectOutcome,
  selectPendingEntries,
} from './slice.ts';
import { useLogTranslations } from './translations.ts';

/** A chosen photo as a `data:` URL, or why it cannot be used. */
type Prepared = { url: string } | { problem: string };

async function preparePhoto(file: File): Promise<Prepared> {
  const shrunk = await shrinkPicture(file, photoShape);
  if (typeof shrunk === 'string') return { problem: pictureProblemSentence(shrunk) };
  return dataUrlOf(shrunk).then(
    (url) => ({ url }),
    () => ({ problem: pictureProblemSentence('unreadable') }),
  );
}

/** The choice of a photo, which takes seconds to be made smaller on a slow phone. The last choice wins. */
function usePhotoChoice() {
  /** A `data:` URL; null if the stored photo is to be removed; undefined to leave it. */
  const [photo, setPhoto] = useState<string | null>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isPreparing, setPreparing] = useState(false);
  const last = useRef<Promise<Prepared>>(undefined);

  const choose = (file: File | null) => {
    if (!file) return;
    const preparing = preparePhoto(file);
    last.current = preparing;
    setPreparing(true);
    void preparing.then((prepared) => {
      if (last.current !== preparing) return;
      setPreparing(false);
      setProblem('problem' in prepared ? prepared.problem : null);
      if ('url' in prepared) setPhoto(prepared.url);
    });
  };
  const remove = (isStored: boolean) => {
    last.current = undefined;
    setPreparing(false);
    setProblem(null);
    setPhoto(isStored ? null : undefined);
  };
  /** Waits for the last choice. Returns `unusable` if that is shown as a problem. */
  const result = async (): Promise<string | null | undefined | 'unusable'> => {
    for (;;) {
      const current = last.current;
      const prepared = await current;
      if (current !== last.current) continue;
      if (!prepared) return photo;
      return 'url' in prepared ? prepared.url : 'unusable';
    }
  };
  return { photo, problem, isPreparing, choose, remove, result };
}

/**
 * Saves what is in an open form that is about to close with what is around it. Returns whether it may close: not if the chosen
 * photo cannot be used. Null while no form is open.
 */
export type SubmitRef = RefObject<(() => Promise<boolean>) | null>;

interface EntryEditorProps {
  participationId: number;
  /** The challenge's name. */
  name: string;
  /** The stored entry; null if it has neither note nor photo. */
  entry: LogEntry | null;
  /** Called when the person saves without a change. */
  onUnchanged: () => void;
  onSubmitted: () => void;
  onCancel: () => void;
  submitRef: SubmitRef | undefined;
}

/** A form for the note and photo of one's own completion. */
function EntryEditor({
  participationId,
  name,
  entry,
  onUnchanged,
  onSubmitted,
  onCancel,
  submitRef,
}: EntryEditorProps) {
  const t = useLogTranslations();
  const dispatch = useDispatch();
  const storedNote = entry?.note ?? '';
  const [{ note }, write] = usePersistedFields(`note-${participationId}`, { note: storedNote });
  const { photo, problem, isPreparing, choose, remove, result } = usePhotoChoice();
  const [isWaiting, setWaiting] = useState(false);
  const resetChoice = useRef<() => void>(null);
  const outcome = useSelector((state: OwnEntriesPart) => selectOutcome(state, participationId));
  const field = useRef<HTMLTextAreaElement>(null);
  /** Removes the draft, once what it contains is stored to be sent. */
  const removeDraft = useRef(() => {});
  const isOpen = useRef(true);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      removeDraft.current();
    };
  }, []);
  useEffect(() => {
    if (outcome?.state === 'failed') removeDraft.current = () => {};
  }, [outcome]);

  const save = async (isFormClosed: boolean): Promise<boolean> => {
    // The field says so.
    if (isFormClosed && note.trim().length > textLimits.note) return false;
    setWaiting(true);
    const chosen = await result();
    if (!isOpen.current) return true;
    setWaiting(false);
    if (chosen === 'unusable') return false;
    const changes = {
      ...(note.trim() !== storedNote && { note }),
      ...(chosen !== undefined && { photo: chosen }),
    };
    removeDraft.current = () => write({ note: storedNote });
    if (Object.keys(changes).length === 0) onUnchanged();
    else {
      dispatch(entrySubmitted({ participationId, name, ...changes }, isFormClosed));
      onSubmitted();
    }
    return true;
  };
  useEffect(() => {
    if (!submitRef) return;
    submitRef.current = () => save(true);
    return () => {
      submitRef.current = null;
    };
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(false);
  };
  const cancel = () => {
    write({ note: storedNote });
    onCancel();
  };

  const stored = photo === undefined ? entry?.photo : null;
  const hasPhoto = !!stored || !!photo;
  return (
    <form className={classes.form} aria-label={t('yours')} onSubmit={submit}>
      <LimitedTextarea
        ref={field}
        name="note"
        label={t('note')}
        rows={3}
        limit={textLimits.note}
        value={note}
        onChange={({ currentTarget }) => write({ note: currentTarget.value })}
      />
      {entry && stored && <EntryPhoto entry={entry} photo={stored} />}
      {photo && <img className={classes.chosen} src={photo} alt={t('chosen')} />}
      <div className={classes.row}>
        <FileButton
          accept="image/jpeg,image/png,image/webp"
          resetRef={resetChoice}
          onChange={(file) => {
            // The same file can be chosen again.
            resetChoice.current?.();
            choose(file);
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isPreparing}
              leftSection={<IconCamera size={18} aria-hidden />}
            >
              {t(hasPhoto ? 'changePhoto' : 'addPhoto')}
            </Button>
          )}
        </FileButton>
        {hasPhoto && (
          <Button variant="default" onClick={() => remove(!!entry?.photo)}>
            {t('removePhoto')}
          </Button>
        )}
      </div>
      <p className={classes.quiet}>{t('whoSees')}</p>
      <FormError>{problem ?? (outcome?.state === 'failed' ? outcome.error : null)}</FormError>
      <div className={classes.row}>
        <Button type="submit" variant="default" loading={isWaiting || outcome?.state === 'sending'}>
          {t('save')}
        </Button>
        <Button variant="subtle" color="gray" onClick={cancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}

interface OwnEntryProps {
  participationId: number;
  /** The challenge's name. */
  name: string;
  /** The stored entry; null if it has neither note nor photo. */
  entry: LogEntry | null;
  onSaved: (entry: LogEntry) => void;
  /** Called when the form opens or closes. */
  onToggled?: (isOpen: boolean) => void;
  submitRef?: SubmitRef;
}

interface DeleteEntryProps {
  participationId: number;
  name: string;
  entry: LogEntry | null;
}

/** Deletes the note and photo of a completion, which stays; with Undo while the page is open. */
function DeleteEntry({ participationId, name, entry }: DeleteEntryProps) {
  const t = useLogTranslations();
  const dispatch = useDispatch();
  const [deleted, setDeleted] = useState<Pick<UnsentEntry, 'note' | 'photo'> | null>(null);
  const photo = useResource(
    'getPhoto',
    entry?.photo ? { params: { id: participationId, photo: entry.photo } } : null,
  );
  const isEmpty = !entry?.note && !entry?.photo;
  const remove = async () => {
    const { data } = photo;
    setDeleted({ note: entry?.note ?? '', ...(data && { photo: await dataUrlOf(data) }) });
    dispatch(entrySubmitted({ participationId, name, note: '', photo: null }, true));
  };
  const undo = () => {
    dispatch(entrySubmitted({ participationId, name, ...deleted }, true));
    setDeleted(null);
  };
  if (isEmpty && deleted)
    return (
      <p className={classes.saved} role="status">
        {t('deleted')}
        <Button variant="subtle" onClick={undo}>
          {t('undo')}
        </Button>
      </p>
    );
  if (isEmpty) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      // Without the photo it could not be undone.
      loading={!!entry.photo && photo.state === 'loading'}
      onClick={() => void remove()}
    >
      {t('delete')}
    </Button>
  );
}

/** Adds or changes the optional note and photo of one's own completion. */
export function OwnEntry({ participationId, name, entry, onSaved, onToggled, submitRef }: OwnEntryProps) {
  const t = useLogTranslations();
  const dispatch = useDispatch();
  const [open, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const outcome = useSelector((state: OwnEntriesPart) => selectOutcome(state, participationId));
  const isPending = useSelector(selectPendingEntries).some((one) => one.participationId === participationId);
  const report = useRef(onSaved);
  report.current = onSaved;
  const toggled = useRef(onToggled);
  toggled.current = onToggled;
  useEffect(() => toggled.current?.(open), [open]);
  useEffect(() => {
    dispatch(entryOpened(participationId));
  }, [dispatch, participationId]);
  useEffect(() => {
    if (outcome?.state !== 'saved') return;
    report.current(outcome.entry);
    if (isSubmitted) setOpen(false);
    setSaved(isSubmitted);
  }, [outcome, isSubmitted]);
  useEffect(() => {
    if (isSubmitted && isPending && !outcome) setOpen(false);
  }, [isSubmitted, isPending, outcome]);
  return (
    <div className={classes.own} {...focusFallback}>
      {open ? (
        <EntryEditor
          participationId={participationId}
          name={name}
          entry={entry}
          onUnchanged={() => setOpen(false)}
          onSubmitted={() => setSubmitted(true)}
          onCancel={() => setOpen(false)}
          submitRef={submitRef}
        />
      ) : (
        // Right after a completion the entry is not loaded yet.
        entry?.can?.edit !== false && (
          <Button
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={() => {
              setSaved(false);
              setSubmitted(false);
              dispatch(entryOpened(participationId));
              setOpen(true);
            }}
          >
            {t(entry?.note || entry?.photo ? 'change' : 'add')}
          </Button>
        )
      )}
      {!open && <DeleteEntry participationId={participationId} name={name} entry={entry} />}
      <p className={classes.saved} role="status">
        {isPending && !open && (
          <>
            <IconClock size={18} aria-hidden /> {t('waits')}
          </>
        )}
        {isSaved && !isPending && t('saved')}
      </p>
    </div>
  );
}
