import { IconMapPinCheck } from '@tabler/icons-react';
import classes from './CheckedIn.module.css';
import { useCheckInTranslations } from './translations.ts';

/** Says that somebody was there. */
export function CheckedIn() {
  const t = useCheckInTranslations();
  return (
    <span className={classes.badge}>
      <IconMapPinCheck size={16} aria-hidden />
      {t('checkedIn')}
    </span>
  );
}
