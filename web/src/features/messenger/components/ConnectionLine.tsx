import { useSelector } from 'react-redux';
import { selectConnection } from '../../../entities/realtime/slice.ts';
import classes from '../routes/Messenger.module.css';

/** Says when messages do not come by themselves for the moment. */
export function ConnectionLine() {
  const lost = useSelector(selectConnection) === 'lost';
  return (
    <p className={classes.connection} role="status">
      {lost && 'The connection is lost. New messages come as soon as it is back.'}
    </p>
  );
}
