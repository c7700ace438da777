import { type Event, type ServiceName, userIdsOf } from '@wayquest/contracts';
import type { EventBus, EventFilter } from '../bus/event-bus.ts';
import type { ErasedUsers } from './erased-users.ts';

/** How a service erases the data of deleted users, also those that arrive late or could not be handled. */
export interface Erasure {
  /** Whether an event is about an erased user. */
  isErased: EventFilter;
  /** Erases a user's data, and the dead letters about them. May be repeated. */
  eraseUser(id: number): Promise<void>;
  /**
   * Handles an event, and erases again the data of each erased user whom it is about. That is checked afterwards, whether
   * or not it was handled: of an event and an erasure at the same time, the later one finds the data of the other.
   */
  handleThenErase(event: Event, handle: () => Promise<void>): Promise<void>;
  /** Erases the dead letters about all erased users. */
  eraseDeadLetters(): Promise<void>;
}

export interface ErasureOptions {
  service: ServiceName;
  bus: Pick<EventBus, 'eraseDeadLetters'>;
  erasedUsers: ErasedUsers;
  /** Erases the service's own data of a user; undefined if it has none. */
  erase: ((userId: number) => Promise<void>) | undefined;
}

/** Creates the erasure of a service. */
export function createErasure({ service, bus, erasedUsers, erase }: ErasureOptions): Erasure {
  // All erased users: of two concurrent searches, either may find the dead letter.
  const isErased = async (event: Event) => (await erasedUsers.among(userIdsOf(event))).length > 0;
  const eraseDeadLetters = () => bus.eraseDeadLetters(service, isErased);
  return {
    isErased,
    eraseDeadLetters,
    async eraseUser(id) {
      await erasedUsers.add(id);
      await erase?.(id);
      await eraseDeadLetters();
    },
    async handleThenErase(event, handle) {
      try {
        await handle();
      } finally {
        // A failed handler may have written part of the data.
        const ids = erase ? await erasedUsers.among(userIdsOf(event)) : [];
        for (const id of ids) await erase?.(id);
      }
    },
  };
}
