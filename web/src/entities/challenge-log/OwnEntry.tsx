import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { LogEntry } from '@wayquest/contracts';
import { useState } from 'react';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { EntryEditor } from './EntryEditor.tsx';
import classes from './OwnEntry.module.css';
import { useLogTranslations } from './translations.ts';

interface Props {
  participationId: number;
  /** The stored entry; null if it has neither note nor photo. */
  entry: LogEntry | null;
  onSaved: (entry: LogEntry) => void;
}

/** Adds or changes the optional note and photo of one's own completion. */
export function OwnEntry({ participationId, entry, onSaved }: Props) {
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
