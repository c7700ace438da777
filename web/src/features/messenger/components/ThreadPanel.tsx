import { ActionIcon } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { Conversation } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  type realtimeSlice,
  selectConnection,
  selectIsOnline,
  selectIsTyping,
} from '../../../entities/realtime/slice.ts';
import { isDeleted, useName } from '../../../shared/lib/names.ts';
import { selectThread, threadClosed, threadOpened, type threadsSlice } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import composer from './Composer.module.css';
import { Composer } from './Composer.tsx';
import { MessageLog } from './MessageLog.tsx';
import { PresenceAvatar } from './PresenceAvatar.tsx';
import classes from './ThreadPanel.module.css';

type State = Parameters<typeof threadsSlice.selectSlice>[0] & Parameters<typeof realtimeSlice.selectSlice>[0];

function Head({ user, open }: Pick<Conversation, 'user' | 'open'>) {
  const t = useTranslations();
  const name = useName(user);
  const online = useSelector((state: State) => selectIsOnline(state, user.id));
  // Presence is known of friends only, and only while the connection is open.
  const known = useSelector(selectConnection) === 'up' && open;
  return (
    <header className={classes.head}>
      <ActionIcon
        className={classes.back ?? ''}
        component={Link}
        to="/messenger"
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('back')}
      >
        <IconArrowLeft size={22} aria-hidden />
      </ActionIcon>
      <PresenceAvatar user={user} size={44} />
      <div className={classes.words}>
        <h2>{isDeleted(user) ? name : <Link to={`/users/${user.id}`}>{name}</Link>}</h2>
        {open && <p className={classes.state}>{known && t(online ? 'online' : 'offline')}</p>}
      </div>
    </header>
  );
}

/** The open conversation. */
export function ThreadPanel({ conversation }: { conversation: Conversation }) {
  const t = useTranslations();
  const { id, user, open } = conversation;
  const dispatch = useDispatch();
  const thread = useSelector((state: State) => selectThread(state, id));
  const typing = useSelector((state: State) => selectIsTyping(state, user.id));
  useEffect(() => {
    dispatch(threadOpened(id));
    return () => {
      dispatch(threadClosed());
    };
  }, [dispatch, id]);
  return (
    <>
      <Head user={user} open={open} />
      {thread && <MessageLog conversation={conversation} thread={thread} />}
      <div className={classes.typing} aria-live="polite">
        {typing && t('nameWriting', { username: user.username })}
      </div>
      {open ? (
        <Composer conversationId={id} to={user.username} />
      ) : (
        <p className={composer.closed}>
          {isDeleted(user) ? t('accountDeleted') : t('noFriendsAnyMore', { username: user.username })}
        </p>
      )}
    </>
  );
}
