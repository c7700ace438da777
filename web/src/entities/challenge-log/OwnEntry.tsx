import '@mantine/core/styles/Input.layer.css';
import { Button, FileButton } from '@mantine/core';
import { IconCamera, IconPencil } from '@tabler/icons-react';
import { type LogEntry, textLimits } from '@wayquest/contracts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { dataUrlOf, photoShape, pictureProblemSentence, shrinkPicture } from '../../shared/lib/pictures.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { LimitedTextarea } from '../../shared/ui/limited-text.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { usePersistedFields } from '../auth/form-draft.ts';
import { EntryPhoto } from './EntryPhoto.tsx';
import classes from './OwnEntry.module.css';
import { useLogTranslations } from './translations.ts';

interface EntryEditorProps {
  participationId: number;
  /** The stored entry; null if it has neither note nor photo. */
  entry: LogEntry | null;
  onSaved: (entry: LogEntry | null) => void;
  onCancel: () => void;
}

/** A photo to upload, with a URL to show it. */
interface NewPhoto {
  file: Blob;
  url: string;
}

/** A form for the note and photo of one's own completion. */
function EntryEditor({ participationId, entry, onSaved, onCancel }: EntryEditorProps) {
  const t = useLogTranslations();
  const storedNote = entry?.note ?? '';
  const [{ note }, write] = usePersistedFields(`note-${participationId}`, { note: storedNote });
  const [photo, setPhoto] = useState<NewPhoto | 'removed' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useMutation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  const choose = async (file: File | null) => {
    if (!file) return;
    const shrunk = await shrinkPicture(file, photoShape);
    const isProblem = typeof shrunk === 'string';
    setProblem(isProblem ? pictureProblemSentence(shrunk) : null);
    if (!isProblem) setPhoto({ file: shrunk, url: await dataUrlOf(shrunk) });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const params = { id: participationId };
    void saving.mutate(
      async (api) => {
        let saved = entry;
        if (note.trim() !== storedNote) saved = await api.updateNote({ params, body: { note } });
        if (photo === 'removed') saved = await api.removePhoto({ params });
        else if (photo) saved = await api.updatePhoto({ params, body: photo.file });
        return saved;
      },
      (saved) => {
        write({ note: storedNote });
        onSaved(saved);
      },
    );
  };
  const cancel = () => {
    write({ note: storedNote });
    onCancel();
  };

  const stored = photo === null ? entry?.photo : null;
  const hasPhoto = !!stored || (photo !== null && photo !== 'removed');
  return (
    <form className={classes.form} aria-label={t('yours')} onSubmit={save}>
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
      {photo !== null && photo !== 'removed' && (
        <img className={classes.chosen} src={photo.url} alt={t('chosen')} />
      )}
      <div className={classes.row}>
        <FileButton accept="image/jpeg,image/png,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconCamera size={18} aria-hidden />}>
              {t(hasPhoto ? 'changePhoto' : 'addPhoto')}
            </Button>
          )}
        </FileButton>
        {hasPhoto && (
          <Button variant="default" onClick={() => setPhoto(entry?.photo ? 'removed' : null)}>
            {t('removePhoto')}
          </Button>
        )}
      </div>
      <p className={classes.quiet}>{t('whoSees')}</p>
      <FormError>{problem ?? saving.error}</FormError>
      <div className={classes.row}>
        <Button type="submit" variant="default" loading={saving.state === 'loading'}>
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
  /** The stored entry; null if it has neither note nor photo. */
  entry: LogEntry | null;
  onSaved: (entry: LogEntry) => void;
}

/** Adds or changes the optional note and photo of one's own completion. */
export function OwnEntry({ participationId, entry, onSaved }: OwnEntryProps) {
  const t = useLogTranslations();
  const [open, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const close = (saved: LogEntry | null) => {
    setOpen(false);
    if (saved) onSaved(saved);
    setSaved(saved !== null);
  };
  return (
    <div className={classes.own} {...focusFallback}>
      {open ? (
        <EntryEditor
          participationId={participationId}
          entry={entry}
          onSaved={close}
          onCancel={() => setOpen(false)}
        />
      ) : (
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          onClick={() => {
            setSaved(false);
            setOpen(true);
          }}
        >
          {t(entry?.note || entry?.photo ? 'change' : 'add')}
        </Button>
      )}
      <p className={classes.saved} role="status">
        {isSaved && t('saved')}
      </p>
    </div>
  );
}
