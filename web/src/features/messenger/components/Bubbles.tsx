import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import type { Conversation, Message } from '@wayquest/contracts';
import { Fragment, useCallback, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useName } from '../../../shared/lib/names.ts';
import { formatDay, isSameDay, isSameMinute, useNow } from '../../../shared/lib/time.ts';
import { isRetriedLater, type OutgoingMessage, type Thread } from '../thread.ts';
import { outgoingDropped, retryRequested } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Bubble.module.css';
import { Bubble } from './Bubble.tsx';
import { MessageMenu } from './MessageMenu.tsx';

/** The date of a message, if it differs from the previous one's. */
function Day({ of, after, now }: { of: string; after: string | undefined; now: number }) {
  if (after && isSameDay(after, of)) return null;
  return <p className={classes.day}>{formatDay(of, now)}</p>;
}

/** The delivery state of one's own message. */
function Mark({ state }: { state: 'sending' | 'sent' | 'read' }) {
  const t = useTranslations();
  if (state === 'sending') return <IconClock size={15} role="img" aria-label={t('sending')} />;
  if (state === 'sent') return <IconCheck size={15} role="img" aria-label={t('sent')} />;
  return <IconChecks className={classes.read} size={15} role="img" aria-label={t('read')} />;
}

/** A message that was not sent: it is waiting for the network or the server, or has to be retried by its person. */
function NotSent({
  conversationId,
  outgoing,
  now,
}: {
  conversationId: number;
  outgoing: OutgoingMessage;
  now: number;
}) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { clientId, error } = outgoing;
  const isWaiting = isRetriedLater(outgoing, now);
  return (
    <>
      {isWaiting ? (
        <span className={classes.waiting}>
          {error === null ? t('whenOnline') : t('notYet', { reason: error })}
        </span>
      ) : (
        <span className={classes.failed}>{t('notSent', { reason: error ?? t('pageClosed') })}</span>
      )}
      {!(isWaiting && error === null) && (
        <UnstyledButton
          className={classes.again}
          onClick={() => dispatch(retryRequested({ id: conversationId }))}
        >
          {t('retry')}
        </UnstyledButton>
      )}
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(outgoingDropped({ id: conversationId, clientId }))}
      >
        {t('discard')}
      </UnstyledButton>
    </>
  );
}

/** What is shown instead of the text of a message that is gone. */
const goneKey = ({ deleted, removed }: Message) => (deleted ? 'deleted' : removed && 'removed');

interface MessageMeta {
  createdAt: string;
  own: boolean;
}

/** Whether the next message is by the same person and of the same minute: then only the last one of them shows the time. */
const isGrouped = (one: MessageMeta, next: MessageMeta | undefined): boolean =>
  next !== undefined && one.own === next.own && isSameMinute(one.createdAt, next.createdAt);

/** Saved messages, then those that are being sent. A message keeps its element when it gets its id. */
export function Bubbles({
  conversation: { id, user, otherReadId },
  thread: { messages, outgoing },
  onReply,
}: {
  conversation: Conversation;
  thread: Thread;
  onReply: ((text: string) => void) | undefined;
}) {
  const t = useTranslations();
  const name = useName(user);
  const now = useNow();
  const [menu, setMenu] = useState<{ messageId: number; opener: HTMLElement }>();
  const openMenu = useCallback(
    (messageId: number, opener: HTMLElement) => setMenu({ messageId, opener }),
    [],
  );
  const chosen = messages.find((message) => message.id === menu?.messageId);
  const written: MessageMeta[] = [
    ...messages.map(({ sender, createdAt }) => ({ createdAt, own: sender !== user.id })),
    ...outgoing.map(({ createdAt }) => ({ createdAt, own: true })),
  ];
  const groupedAt = (place: number): boolean => {
    const one = written[place];
    return one !== undefined && isGrouped(one, written[place + 1]);
  };
  return (
    <>
      {messages.map((message, place) => {
        const { id: messageId, clientId, sender, createdAt } = message;
        const gone = goneKey(message);
        const own = sender !== user.id;
        const read = messageId <= (otherReadId ?? 0);
        return (
          <Fragment key={own && clientId ? clientId : messageId}>
            <Day of={createdAt} after={messages[place - 1]?.createdAt} now={now} />
            <Bubble
              text={gone ? t(gone) : message.text}
              createdAt={createdAt}
              now={now}
              author={own ? t('you') : name}
              own={own}
              isGrouped={groupedAt(place)}
              isGone={gone !== undefined}
              onMenu={openMenu}
              messageId={messageId}
            >
              {own && <Mark state={read ? 'read' : 'sent'} />}
            </Bubble>
          </Fragment>
        );
      })}
      {outgoing.map((message, place) => (
        <Fragment key={message.clientId}>
          <Day of={message.createdAt} after={(outgoing[place - 1] ?? messages.at(-1))?.createdAt} now={now} />
          <Bubble
            text={message.text}
            createdAt={message.createdAt}
            now={now}
            author={t('you')}
            own
            isGrouped={groupedAt(messages.length + place)}
            state={message.state}
          >
            {message.state === 'failed' ? (
              <NotSent conversationId={id} outgoing={message} now={now} />
            ) : (
              <Mark state={message.state} />
            )}
          </Bubble>
        </Fragment>
      ))}
      {menu && chosen && (
        <MessageMenu
          message={chosen}
          opener={menu.opener}
          onReply={onReply}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}
