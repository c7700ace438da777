import { Button, Skeleton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { Conversation } from '@wayquest/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { messagesSeen } from '../../../entities/conversations/slice.ts';
import { useName } from '../../../shared/lib/names.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import type { Thread } from '../thread.ts';
import { olderRequested, threadOpened } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import { Bubbles } from './Bubbles.tsx';
import classes from './MessageLog.module.css';
import { useLogScroll } from './use-log-scroll.ts';

interface Props {
  conversation: Conversation;
  thread: Thread;
  /** Undefined if nobody can be answered. */
  onReply: ((text: string) => void) | undefined;
}

/** Older messages are loaded within this distance from the top, in pixels. */
const nearTop = 200;

function Older({ thread: { id, older, complete, messages } }: { thread: Thread }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  if (complete || messages.length === 0) return null;
  if (older.state === 'loading') return <span className={classes.older}>{t('loadingOlder')}</span>;
  return (
    <Button
      className={classes.older ?? ''}
      variant="subtle"
      size="sm"
      onClick={() => dispatch(olderRequested(id))}
    >
      {t(older.state === 'failed' ? 'olderFailed' : 'older')}
    </Button>
  );
}

function subscribeToFocus(onChange: () => void): () => void {
  const names = ['focus', 'blur'];
  for (const name of names) window.addEventListener(name, onChange);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    for (const name of names) window.removeEventListener(name, onChange);
    document.removeEventListener('visibilitychange', onChange);
  };
}

/** Whether the person uses this window: one behind another, or on a second screen, is visible, too. */
const useHasFocus = () =>
  useSyncExternalStore(
    subscribeToFocus,
    () => document.visibilityState === 'visible' && document.hasFocus(),
    () => false,
  );

/** Marks the messages as read that are at the end of the log while the person looks at it. */
function useMarkRead({ id, user, readId }: Conversation, { messages }: Thread, atEnd: boolean) {
  const dispatch = useDispatch();
  const isReading = useHasFocus() && atEnd;
  const messageId = messages.findLast(({ sender }) => sender === user.id)?.id ?? 0;
  useEffect(() => {
    if (isReading && messageId > (readId ?? 0)) dispatch(messagesSeen({ conversationId: id, messageId }));
  }, [dispatch, isReading, id, messageId, readId]);
}

/** The messages of a conversation. */
export function MessageLog({ conversation, thread, onReply }: Props) {
  const t = useTranslations();
  const name = useName(conversation.user);
  const dispatch = useDispatch();
  const { id, newest, older, complete, messages, outgoing } = thread;
  const lastOutgoing = outgoing.at(-1);
  const lastMessage = messages.at(-1);
  const { log, atEnd, unseen, goToEnd, onScroll } = useLogScroll({
    first: messages[0]?.id.toString(),
    // A message keeps its key when it gets its id, so that a saved message does not count as a new one.
    last: lastOutgoing?.clientId ?? lastMessage?.clientId ?? lastMessage?.id.toString(),
    ownLast: lastOutgoing !== undefined || lastMessage?.sender !== conversation.user.id,
  });
  useMarkRead(conversation, thread, atEnd);
  const scrolled = () => {
    onScroll();
    const top = log.current?.scrollTop ?? nearTop;
    const mayAsk = older.state !== 'loading' && older.state !== 'failed';
    if (top < nearTop && newest.state === 'ready' && !complete && mayAsk) {
      dispatch(olderRequested(id));
    }
  };
  if (newest.state === 'failed')
    return <Failure onRetry={() => dispatch(threadOpened(id))}>{newest.error}</Failure>;
  return (
    <div className={classes.frame}>
      <div
        ref={log}
        className={classes.log}
        role="log"
        aria-label={t('messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        onScroll={scrolled}
      >
        {newest.state === 'loading' && (
          <Pending>
            <Skeleton height={44} width="55%" mb={12} />
            <Skeleton height={44} width="40%" ml="auto" mb={12} />
            <Skeleton height={44} width="60%" />
          </Pending>
        )}
        <Older thread={thread} />
        {newest.state === 'ready' && messages.length + outgoing.length === 0 && (
          <p className={classes.begin}>
            {conversation.can?.message ? t('noMessages', { username: name }) : t('noneWritten')}
          </p>
        )}
        <Bubbles conversation={conversation} thread={thread} onReply={onReply} />
      </div>
      {unseen && (
        <Button
          className={classes.newer ?? ''}
          size="sm"
          radius="xl"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={() => goToEnd()}
        >
          {t('newMessages')}
        </Button>
      )}
    </div>
  );
}
