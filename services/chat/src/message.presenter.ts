import type { Message } from '@wayquest/contracts';
import type { MessageDocument } from './message.model.ts';

export type StoredMessage = Omit<MessageDocument, 'outbox'>;

/** A message for both people. */
export const presentMessage = ({
  _id,
  sender,
  text,
  conversationId,
  createdAt,
  clientId,
  removed,
}: StoredMessage): Message => ({
  id: _id,
  sender,
  text: removed ? '' : text,
  ...(removed && { removed: true as const }),
  conversationId,
  createdAt: createdAt.toISOString(),
  clientId: clientId ?? null,
});
