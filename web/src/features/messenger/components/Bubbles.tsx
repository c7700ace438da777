import type { Conversation } from '@wayquest/contracts';
import type { Thread } from '../thread.ts';
import { useWords } from '../words.ts';
import { Bubble } from './Bubble.tsx';
import { Failed, Mark } from './SendState.tsx';
import { useNow } from './use-now.ts';

/** What was saved, then what is on its way. A message stays the same element when it gets its id. */
export function Bubbles({
  conversation: { id, user, otherReadId },
  thread: { messages, outgoing },
}: {
  conversation: Conversation;
  thread: Thread;
}) {
  const t = useWords();
  const now = useNow();
  return (
    <>
      {messages.map(({ id: messageId, clientId, sender, text, createdAt }) => {
        const own = sender !== user.id;
        const read = messageId <= (otherReadId ?? 0);
        return (
          <Bubble
            key={own && clientId ? clientId : messageId}
            text={text}
            createdAt={createdAt}
            now={now}
            author={own ? t('you') : user.username}
            own={own}
          >
            {own && <Mark state={read ? 'read' : 'sent'} />}
          </Bubble>
        );
      })}
      {outgoing.map((message) => (
        <Bubble
          key={message.clientId}
          text={message.text}
          createdAt={message.createdAt}
          now={now}
          author={t('you')}
          own
          state={message.state}
        >
          {message.state === 'failed' ? (
            <Failed conversationId={id} outgoing={message} />
          ) : (
            <Mark state={message.state} />
          )}
        </Bubble>
      ))}
    </>
  );
}
