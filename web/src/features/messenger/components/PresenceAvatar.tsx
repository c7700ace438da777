import type { PublicUser } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { type realtimeSlice, selectIsOnline } from '../../../entities/realtime/slice.ts';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Presence.module.css';

type State = Parameters<typeof realtimeSlice.selectSlice>[0];

/** A friend's picture, with a dot while they are online. */
export function PresenceAvatar({ user, size }: { user: PublicUser; size: number }) {
  const t = useTranslations();
  const online = useSelector((state: State) => selectIsOnline(state, user.id));
  return (
    <span className={classes.place}>
      <UserAvatar user={user} size={size} />
      {online && <span className={classes.dot} role="img" aria-label={t('online')} />}
    </span>
  );
}
