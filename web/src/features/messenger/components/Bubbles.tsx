import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import type { Conversation } from '@wayquest/contracts';
import { Fragment } from 'react';
import { useDispatch } from 'react-redux';
import { LazyReportButton } from '../../../entities/reports/lazy.tsx';
import { useName } from '../../../shared/lib/names.ts';
import { formatDay, isSameDay, isSameMinute, useNow } from '../../../shared/lib/time.ts';
import type { OutgoingMessage, Thread } from '../thread.ts';
import { outgoingDropped, retryRequested } from '../threads-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Bubble.module.css';
import { Bubble } from './Bubble.tsx';

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

/** Why a message was not sent, with buttons to retry or discard it. */
function Failed({ conversationId, outgoing }: { conversationId: number; outgoing: OutgoingMessage }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  return (
    <>
      <span className={classes.failed}>{t('notSent', { reason: outgoing.error ?? t('pageClosed') })}</span>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(retryRequested({ id: conversationId }))}
      >
        {t('retry')}
      </UnstyledButton>
      <UnstyledButton
        className={classes.again}
        onClick={() => dispatch(outgoingDropped({ id: conversationId, clientId: outgoing.clientId }))}
      >
        {t('discard')}
      </UnstyledButton>
    </>
  );
}

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
}: {
  conversation: Conversation;
  thread: Thread;
}) {
  const t = useTranslations();
  const name = useName(user);
  const now = useNow();
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
        const { id: messageId, clientId, sender, createdAt, removed } = message;
        const text = removed ? t('removed') : message.text;
        const own = sender !== user.id;
        const read = messageId <= (otherReadId ?? 0);
        return (
          <Fragment key={own && clientId ? clientId : messageId}>
            <Day of={createdAt} after={messages[place - 1]?.createdAt} now={now} />
            <Bubble
              text={text}
              createdAt={createdAt}
              now={now}
              author={own ? t('you') : name}
              own={own}
              isGrouped={groupedAt(place)}
              action={
                !own && !removed && <LazyReportButton kind="message" id={messageId} conversationId={id} />
              }
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
              <Failed conversationId={id} outgoing={message} />
            ) : (
              <Mark state={message.state} />
            )}
          </Bubble>
        </Fragment>
      ))}
    </>
  );
}
