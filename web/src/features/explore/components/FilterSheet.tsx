import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslations } from '../translations.ts';
import classes from './FilterSheet.module.css';

interface Props {
  /** The values of the filters; those that are not chosen are falsy. */
  values: unknown[];
  children: ReactNode;
}

/** A phone's chip with the number of chosen filters, which opens a sheet with their fields. */
export function FilterSheet({ values, children }: Props) {
  const t = useTranslations();
  const count = values.filter(Boolean).length;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  return (
    <div className={classes.place}>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        {count > 0 ? `${t('filter')} (${count})` : t('filter')}
      </Button>
      <dialog ref={dialog} className={classes.sheet} aria-labelledby={titleId}>
        <h2 id={titleId}>{t('filter')}</h2>
        <div className={classes.fields}>{children}</div>
        <Button fullWidth mt={24} onClick={() => dialog.current?.close()}>
          {t('showChosen')}
        </Button>
      </dialog>
    </div>
  );
}
