import type { PublicUser } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { UserAvatar } from '../../shared/ui/UserAvatar.tsx';
import { type realtimeSlice, selectIsOnline } from '../realtime/slice.ts';
import classes from './Presence.module.css';
import { usePeopleTranslations } from './translations.ts';

type State = Parameters<typeof realtimeSlice.selectSlice>[0];

/** A friend's picture, with a dot while they are online. */
export function PresenceAvatar({ user, size }: { user: PublicUser; size: number }) {
  const t = usePeopleTranslations();
  const online = useSelector((state: State) => selectIsOnline(state, user.id));
  return (
    <span className={classes.place}>
      <UserAvatar user={user} size={size} />
      {online && <span className={classes.dot} role="img" aria-label={t('online')} />}
    </span>
  );
}
