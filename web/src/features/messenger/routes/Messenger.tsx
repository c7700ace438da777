import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import {
  type conversationsSlice,
  selectConversation,
  selectConversationsState,
} from '../../../entities/conversations/slice.ts';
import { selectConnection } from '../../../entities/realtime/slice.ts';
import { readId } from '../../../shared/lib/query-params.ts';
import { PageTitle } from '../../../shared/ui/Page.tsx';
import { ConversationList } from '../components/ConversationList.tsx';
import { ThreadPanel } from '../components/ThreadPanel.tsx';
import { preferencesRequested } from '../preferences-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Messenger.module.css';

type State = Parameters<typeof conversationsSlice.selectSlice>[0];

function NothingOpen() {
  const t = useTranslations();
  return (
    <div className={classes.none}>
      <IconMessages size={48} stroke={1.25} aria-hidden />
      <p>{t('nothingOpen')}</p>
    </div>
  );
}

function NotThere() {
  const t = useTranslations();
  return (
    <div className={classes.none} role="alert">
      <p>{t('notThere')}</p>
      <Button component={Link} to="/messenger" variant="default">
        {t('seeYours')}
      </Button>
    </div>
  );
}

/** Shows when the connection is lost and new messages do not arrive. */
function ConnectionLine() {
  const t = useTranslations();
  const lost = useSelector(selectConnection) === 'lost';
  return (
    <p className={classes.connection} role="status">
      {lost && t('connectionLost')}
    </p>
  );
}

/** Conversations with friends: the list, and the conversation in the URL. On a phone only one of them is shown. */
export default function Messenger() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { id } = useParams();
  const conversation = useSelector((state: State) => selectConversation(state, readId(id)));
  const ready = useSelector(selectConversationsState) === 'ready';
  useEffect(() => {
    dispatch(preferencesRequested());
  }, [dispatch]);
  return (
    <div className={classes.messenger} data-messenger data-open={id !== undefined}>
      <section className={`${classes.panel} ${classes.friends}`} aria-label={t('friends')}>
        <PageTitle tab={t('tab')} className={classes.title ?? ''}>
          {t('friends')}
        </PageTitle>
        <ConversationList />
        <ConnectionLine />
      </section>
      <section className={`${classes.panel} ${classes.talk}`} aria-label={t('conversation')}>
        {conversation && <ThreadPanel key={conversation.id} conversation={conversation} />}
        {!conversation && id === undefined && <NothingOpen />}
        {!conversation && id !== undefined && ready && <NotThere />}
      </section>
    </div>
  );
}
