import { useDocumentVisibility } from '@mantine/hooks';
import type { Conversation } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { messagesSeen } from '../../../entities/conversations/slice.ts';
import type { Thread } from '../thread.ts';

/** Marks the messages as read that are at the end of the log while the person looks at it. */
export function useMarkRead({ id, user, readId }: Conversation, { messages }: Thread, atEnd: boolean) {
  const dispatch = useDispatch();
  const looking = useDocumentVisibility() === 'visible' && atEnd;
  const messageId = messages.findLast(({ sender }) => sender === user.id)?.id ?? 0;
  useEffect(() => {
    if (looking && messageId > (readId ?? 0)) dispatch(messagesSeen({ conversationId: id, messageId }));
  }, [dispatch, looking, id, messageId, readId]);
}
