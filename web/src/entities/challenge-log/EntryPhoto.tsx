import { Button, Skeleton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { LogEntry } from '@wayquest/contracts';
import { useRef } from 'react';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { useIsNearViewport } from '../../shared/ui/use-is-near-viewport.ts';
import classes from './EntryPhoto.module.css';
import { usePhotoUrl } from './photo-url.ts';
import { useLogTranslations } from './translations.ts';

interface Props {
  entry: Pick<LogEntry, 'id' | 'user'>;
  /** Its name. */
  photo: string;
}

/** The photo of a log entry, loaded when it is scrolled near; a press opens all of it in a dialog. */
export function EntryPhoto({ entry: { id, user }, photo }: Props) {
  const t = useLogTranslations();
  const common = useCommonTranslations();
  const { ref, isNearViewport } = useIsNearViewport<HTMLDivElement>('400px');
  const dialog = useRef<HTMLDialogElement>(null);
  const alt = t('photoBy', { username: user.username });
  const { url, error, refetch } = usePhotoUrl({ id, photo, size: 'full' }, isNearViewport);
  return (
    <div ref={ref} className={classes.place}>
      {error || url === null ? (
        <div className={classes.failed} role="alert">
          {t('photoFailed')}
          <Button variant="default" onClick={refetch}>
            {common('retry')}
          </Button>
        </div>
      ) : url ? (
        <>
          <button
            type="button"
            className={classes.photo}
            aria-haspopup="dialog"
            onClick={() => dialog.current?.showModal()}
          >
            <img src={url} alt={alt} />
          </button>
          <dialog ref={dialog} className={classes.large} aria-label={alt}>
            <img src={url} alt={alt} />
            <IconButton
              className={classes.close}
              aria-label={t('close')}
              onClick={() => dialog.current?.close()}
            >
              <IconX size={24} aria-hidden />
            </IconButton>
          </dialog>
        </>
      ) : isNearViewport ? (
        <Skeleton className={classes.photo ?? ''} />
      ) : (
        <div className={classes.photo} />
      )}
    </div>
  );
}
