import { IconMapPinCheck } from '@tabler/icons-react';
import classes from './CheckInBadge.module.css';
import { useCheckInTranslations } from './translations.ts';

/** Marks a completion with a check-in. */
export function CheckInBadge() {
  const t = useCheckInTranslations();
  return (
    <span className={classes.badge}>
      <IconMapPinCheck size={16} aria-hidden />
      {t('checkedIn')}
    </span>
  );
}
