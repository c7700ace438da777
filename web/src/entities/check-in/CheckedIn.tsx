import { IconMapPinCheck } from '@tabler/icons-react';
import classes from './CheckedIn.module.css';
import { useCheckInWords } from './words.ts';

/** Says that somebody was there. */
export function CheckedIn() {
  const t = useCheckInWords();
  return (
    <span className={classes.badge}>
      <IconMapPinCheck size={16} aria-hidden />
      {t('checkedIn')}
    </span>
  );
}
