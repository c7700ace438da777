import type { Event, EventName } from '@wayquest/contracts';

/** The part of an event that replicas read. */
export type ReplicaEvent<N extends EventName> = Pick<Event<N>, 'data' | 'occurredAt' | 'replayed'>;

/** Timestamp (owner's clock) of the last event applied to this row. A snapshot must not overwrite rows updated after it started. */
export interface WithLastEventAt {
  lastEventAt?: Date | null;
}

export const lastEventAt = ({ occurredAt }: Pick<ReplicaEvent<EventName>, 'occurredAt'>): Date =>
  new Date(occurredAt);

/** Filter for rows with no event since `moment`; a snapshot may overwrite these regardless of their version. */
export const staleSince = (moment: Date | string, field = 'lastEventAt') => ({
  $or: [{ [field]: null }, { [field]: { $lt: new Date(moment) } }],
});

/** Hint for a scan by id: an index that only rebuilds use would slow down every write. */
export const scanById = { hint: { _id: 1 } } as const;
