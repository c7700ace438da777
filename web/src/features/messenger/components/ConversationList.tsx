import { Button, Skeleton } from '@mantine/core';
import type { Conversation } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import {
  conversationsRequested,
  selectConversations,
  selectConversationsError,
  selectConversationsState,
} from '../../../entities/conversations/slice.ts';
import { PresenceAvatar } from '../../../entities/friends/PresenceAvatar.tsx';
import { type realtimeSlice, selectIsTyping } from '../../../entities/realtime/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useName } from '../../../shared/lib/names.ts';
import { relativeTime, useNow } from '../../../shared/lib/time.ts';
import { countText } from '../../../shared/lib/unread-notifications.ts';
import { CountBadge } from '../../../shared/ui/CountBadge.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { type draftsSlice, selectDraft } from '../drafts-slice.ts';
import { splitQuote } from '../quotes.ts';
import { useTranslations } from '../translations.ts';
import classes from './ConversationList.module.css';

function FindPeople() {
  const t = useCommonTranslations();
  return (
    <Button component={Link} to="/users" variant="default">
      {t('findUsers')}
    </Button>
  );
}

type State = Parameters<typeof draftsSlice.selectSlice>[0] & Parameters<typeof realtimeSlice.selectSlice>[0];

/** A conversation in the list: with whom, its newest message, and the number of unread ones. */
function ConversationItem({
  conversation: { id, user, unread, last },
  now,
}: {
  conversation: Conversation;
  now: number;
}) {
  const t = useTranslations();
  const name = useName(user);
  const draft = useSelector((state: State) => selectDraft(state, id));
  const typing = useSelector((state: State) => selectIsTyping(state, user.id));
  const written = last?.text ?? '';
  const text = last?.deleted ? t('deleted') : splitQuote(written).text || written;
  return (
    <NavLink to={`/messenger/${id}`} className={classes.link ?? ''}>
      <PresenceAvatar user={user} size={44} />
      <span className={classes.words}>
        <span className={classes.name} title={name}>
          {name}
        </span>
        {typing && <span className={classes.hint}>{t('writing')}</span>}
        {!typing && draft && (
          <span className={`${classes.hint} ${classes.draft}`} title={draft}>
            {t('draft', { text: draft })}
          </span>
        )}
        {last && (
          <span
            className={`${classes.hint} ${classes.last}`}
            title={text}
            data-unread={unread > 0 || undefined}
          >
            {last.sender === user.id || last.deleted ? text : t('ownLast', { text })}
          </span>
        )}
      </span>
      <span className={classes.end}>
        {last && (
          <time className={classes.time} dateTime={last.createdAt}>
            {relativeTime(last.createdAt, now)}
          </time>
        )}
        <CountBadge count={unread} label={t('unreadCount', { waiting: countText(unread) })} />
      </span>
    </NavLink>
  );
}

/** All conversations of the person. */
export function ConversationList() {
  const t = useTranslations();
  const common = useCommonTranslations();
  const dispatch = useDispatch();
  const conversations = useSelector(selectConversations);
  const state = useSelector(selectConversationsState);
  const error = useSelector(selectConversationsError);
  const now = useNow();
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(conversationsRequested())}>{error}</Failure>;
  if (state !== 'ready') {
    return (
      <Pending className={classes.list}>
        <Skeleton height={60} />
        <Skeleton height={60} />
        <Skeleton height={60} />
      </Pending>
    );
  }
  if (conversations.length === 0) return <Empty action={<FindPeople />}>{common('noFriends')}</Empty>;
  return (
    <ul className={classes.list} aria-label={t('conversations')}>
      {conversations.map((conversation) => (
        <li key={conversation.id}>
          <ConversationItem conversation={conversation} now={now} />
        </li>
      ))}
    </ul>
  );
}
