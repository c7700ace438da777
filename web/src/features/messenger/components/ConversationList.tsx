import { Button, Skeleton } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  conversationsRequested,
  selectConversations,
  selectConversationsError,
  selectConversationsState,
} from '../../../entities/conversations/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useTranslations } from '../translations.ts';
import { ConversationItem } from './ConversationItem.tsx';
import classes from './ConversationList.module.css';
import { useNow } from './use-now.ts';

function FindPeople() {
  const t = useCommonTranslations();
  return (
    <Button component={Link} to="/users" variant="default">
      {t('findUsers')}
    </Button>
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
