import type { Event, EventName } from '@wayquest/contracts';

/** What replicas look at of an event. */
export type Word<N extends EventName> = Pick<Event<N>, 'data' | 'occurredAt' | 'replayed'>;

/** That a thing was told of, and when, by its owner's clock: a retelling must not undo what came after it began. */
export interface Heard {
  heardAt?: Date | null;
}

export const heardAt = ({ occurredAt }: Pick<Word<EventName>, 'occurredAt'>): Date => new Date(occurredAt);

/** Finds what nothing was heard of since a moment: its owner's word now counts, whatever version is kept. */
export const notHeardSince = (moment: Date | string, field = 'heardAt') => ({
  $or: [{ [field]: null }, { [field]: { $lt: new Date(moment) } }],
});

/** Goes through everything by id: an index for what only a repair asks would cost every write. */
export const throughAll = { hint: { _id: 1 } } as const;
