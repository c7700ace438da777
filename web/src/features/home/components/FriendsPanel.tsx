import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  selectFriends,
  selectFriendsError,
  selectFriendsState,
} from '../../../entities/friends/selectors.ts';
import { friendRequestsRequested } from '../../../entities/friends/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { relativeTime } from '../../../shared/lib/relative-time.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useBoardTranslations } from '../board-translations.ts';
import classes from './Board.module.css';
import { RowsSkeleton } from './BoardSkeleton.tsx';
import { Panel } from './Panel.tsx';

/** Maximum number of ids in the call. */
const maxFriends = 100;

/** Recent completions of friends. */
export function FriendsPanel() {
  const t = useBoardTranslations();
  const common = useCommonTranslations();
  const dispatch = useDispatch();
  const friends = useSelector(selectFriends);
  const friendsState = useSelector(selectFriendsState);
  const friendsError = useSelector(selectFriendsError);
  const ids = friends.slice(-maxFriends).map(({ id }) => id);
  const lately = useQuery(ids.length > 0 ? ids.join(',') : null, (api) =>
    api.listCompletions({ query: { ids: ids.join(','), limit: '3' } }),
  );
  const isAlone = friendsState === 'ready' && ids.length === 0;
  const feats = lately.data ?? [];
  const areUnknown = friendsState === 'failed';
  const error = areUnknown ? friendsError : lately.error;
  const retry = () => (areUnknown ? dispatch(friendRequestsRequested()) : lately.refetch());
  const isReady = isAlone || lately.state === 'ready';
  return (
    <Panel title={t('friends')} more={{ to: '/users', label: common('findUsers') }}>
      {error && <Failure onRetry={retry}>{error}</Failure>}
      {!error && !isReady && <RowsSkeleton />}
      {isReady && feats.length === 0 && <Empty>{isAlone ? common('noFriends') : t('quiet')}</Empty>}
      {feats.length > 0 && (
        <ul className={classes.rows}>
          {feats.map(({ id, user, challenge, completedAt }) => (
            <li key={id} className={classes.feat}>
              <UserAvatar user={user} size={44} />
              <div>
                <p className={classes.who}>{user.username}</p>
                <p>
                  <Link to={`/challenges/${challenge.id}`}>{challenge.name}</Link>
                </p>
                <p className={classes.when}>
                  {completedAt && t('completed', { when: relativeTime(completedAt, Date.now()) })}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
