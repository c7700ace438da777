import { useSelector } from 'react-redux';
import { selectConnection } from '../../../entities/realtime/slice.ts';
import classes from '../routes/Messenger.module.css';
import { useTranslations } from '../translations.ts';

/** Says when the connection is lost and new messages do not arrive. */
export function ConnectionLine() {
  const t = useTranslations();
  const lost = useSelector(selectConnection) === 'lost';
  return (
    <p className={classes.connection} role="status">
      {lost && t('connectionLost')}
    </p>
  );
}
