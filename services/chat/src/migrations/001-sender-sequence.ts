import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** Renames the number of a message among those of its sender, `nth`. The bus renames it in unpublished events. */
export const senderSequence = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-sender-sequence',
  async run() {
    await renameFields(connection, 'messages', { nth: 'senderSequence' });
    await renameFields(connection, 'conversations', { 'last.nth': 'last.senderSequence' });
  },
});
