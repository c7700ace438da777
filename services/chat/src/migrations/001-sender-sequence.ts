import type { ServiceKit } from '@wayquest/platform/service';
import { type Migration, renameFields } from '@wayquest/platform/store';

/** A message with its unpublished events, as they are stored. */
interface StoredMessage {
  _id: number;
  outbox: { id: string; data: Record<string, unknown> }[];
}

/** Renames the number of a message among those of its sender, `nth`; also in events that are not yet published. */
export const senderSequence = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-sender-sequence',
  async run() {
    await renameFields(connection, 'messages', { nth: 'senderSequence' });
    await renameFields(connection, 'conversations', { 'last.nth': 'last.senderSequence' });
    const messages = connection.collection<StoredMessage>('messages');
    for await (const { _id, outbox } of messages.find({ outboxDueAt: { $type: 'date' } })) {
      const [first] = outbox;
      if (!first || !outbox.some(({ data }) => 'nth' in data)) continue;
      const renamed = outbox.map(({ data: { nth, ...data }, ...event }) => ({
        ...event,
        data: nth === undefined ? data : { ...data, senderSequence: nth },
      }));
      // Not if an event was added or published meanwhile: by a version that has no such field.
      const unchanged = { outbox: { $size: outbox.length }, 'outbox.0.id': first.id };
      await messages.updateOne({ _id, ...unchanged }, { $set: { outbox: renamed } });
    }
  },
});
