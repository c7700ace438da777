import type { EventBus } from '@wayquest/platform/bus';

/** A part of a network that may have events to publish. */
interface Publisher {
  isIdle(): Promise<boolean>;
}

/**
 * Returns a check whether no event is in an outbox, on the bus or being handled. It counts publications, since an event
 * may move from an outbox over the bus into an outbox that was found empty before.
 *
 * @param bus - Its `publish` is replaced by one that counts, so call this before services start.
 * @param publishers - Returns the services, each with its outboxes.
 */
export function createSettledCheck(bus: EventBus, publishers: () => Publisher[]): () => Promise<boolean> {
  let publications = 0;
  const { publish } = bus;
  bus.publish = (event, options) => {
    publications += 1;
    return publish(event, options);
  };
  return async () => {
    const before = publications;
    // Checked first, since it costs nothing: if it is busy, the stores need not be queried.
    if (!(await bus.idle())) return false;
    const idle = await Promise.all(publishers().map((publisher) => publisher.isIdle()));
    return !idle.includes(false) && (await bus.idle()) && publications === before;
  };
}
