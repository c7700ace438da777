import { Suspense, useCallback, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectIsNew, selectUser } from '../../../entities/auth/selectors.ts';
import { welcomed } from '../../../entities/auth/slice.ts';
import { lazyPart } from '../../../shared/lib/lazy-extra.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useBoardTranslations } from '../board-translations.ts';
import { forgetAnswered, readAnswered } from '../first-minute.ts';
import classes from './Board.module.css';
import { FriendsPanel } from './FriendsPanel.tsx';
import { NewPanel } from './NewPanel.tsx';
import { OpenPanel } from './OpenPanel.tsx';
import { Standing } from './Standing.tsx';

const Welcome = lazyPart(() => import('./Welcome.tsx'));

/** How many of the newest completions are loaded, to leave these challenges out of new ones. */
const completedKnown = '500';

/** A member's home: challenges nearby, friends' activity, challenges in progress, and their rank. */
export default function MemberBoard() {
  const t = useBoardTranslations();
  const user = useSelector(selectUser);
  const userId = user?.id ?? 0;
  const dispatch = useDispatch();
  const isNew = useSelector(selectIsNew);
  const [isMidway, setMidway] = useState(() => readAnswered(userId) !== null);
  const endWelcome = useCallback(() => {
    forgetAnswered(userId);
    setMidway(false);
    dispatch(welcomed());
  }, [dispatch, userId]);
  const lines = useQuery('lines', (api) =>
    Promise.all([
      api.listLines({ query: { completed: 'false', limit: '100' } }),
      api.listLines({ query: { completed: 'true', limit: completedKnown } }),
    ]),
  );
  if (!user) return null;
  const [open = [], done = []] = lines.data ?? [];
  const joined = [...open, ...done].map(({ challenge }) => challenge);
  return (
    <div className={classes.board}>
      <div className={classes.head}>
        <p className={classes.hello}>{t('hello', { username: user.username })}</p>
        <Standing user={user} />
      </div>
      {isNew || isMidway ? (
        <Suspense fallback={<div className={classes.panel} />}>
          <Welcome userId={userId} onDone={endWelcome} />
        </Suspense>
      ) : (
        <div className={classes.panels}>
          <NewPanel
            user={user}
            joined={joined}
            isJoinedKnown={lines.state === 'ready' || lines.state === 'failed'}
          />
          <FriendsPanel />
          <OpenPanel lines={open} query={lines} />
        </div>
      )}
    </div>
  );
}
