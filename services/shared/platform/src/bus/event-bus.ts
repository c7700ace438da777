import { randomUUID } from 'node:crypto';
import {
  type Event,
  type EventData,
  EventEnvelope,
  type EventName,
  events,
  type ServiceName,
  serviceNames,
  subscriptions,
} from '@wayquest/contracts';
import type { z } from 'zod';
import { type Clock, systemClock } from '../async/clock.ts';
import { toContract } from '../core/to-contract.ts';
import { currentData, currentName } from '../former/events.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { currentRequestId, currentTraceparent, requestContext } from '../telemetry/request-context.ts';
import { startSpan } from '../telemetry/tracing.ts';

export type EventHandler<N extends EventName> = (event: Event<N>) => Promise<void>;

/** Exactly one handler for each event that the service subscribes to in the contracts. */
export type EventHandlers<S extends ServiceName> = {
  [N in (typeof subscriptions)[S][number]]: EventHandler<N>;
};

/** Any service's handlers, as the bus sees them. */
export type AnyEventHandlers = { [N in EventName]?: EventHandler<N> };

export interface Subscription {
  /** Stops receiving events and waits for those in progress. */
  close(): Promise<void>;
}

export interface PublishOptions {
  /** Publishes to this service only, instead of all subscribers. */
  to?: ServiceName;
}

/** Selects events. */
export type EventFilter = (event: Event) => boolean | Promise<boolean>;

export interface SubscribeOptions {
  /** Whether an event is about an erased user: if it cannot be handled it is dropped, not dead-lettered. */
  isErased?: EventFilter;
}

/** Carries events between services; each event reaches every subscribed service at least once. */
export interface EventBus {
  /** Resolves when the bus has stored the event; only then may the publisher delete it. */
  publish(event: Event, options?: PublishOptions): Promise<void>;
  subscribe(
    service: ServiceName,
    handlers: AnyEventHandlers,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  /**
   * Erases the selected dead letters of a service. After an error all others are dead letters as before, and it may be repeated.
   */
  eraseDeadLetters(service: ServiceName, filter: EventFilter): Promise<void>;
  /** Whether it is connected, so that publishing can succeed. */
  ready(): boolean;
  /** Whether it stores what is published: false once nothing is for 5 s, until something is. */
  responds(): boolean;
  /** Whether no event is waiting or in progress. */
  idle(): Promise<boolean>;
  close(): Promise<void>;
}

const subscribedEvents: Record<ServiceName, readonly EventName[]> = subscriptions;

/** Returns the services that consume an event. */
export const subscribersOf = (name: EventName): ServiceName[] =>
  serviceNames.filter((service) => subscribedEvents[service].includes(name));

/**
 * Returns a new event with the id and trace of the current call, reduced to its contract.
 *
 * @param clock - The publisher's clock, for `occurredAt`.
 */
export const newEvent = <N extends EventName>(
  name: N,
  data: EventData<N>,
  clock: Pick<Clock, 'now'> = systemClock,
) => ({
  id: randomUUID(),
  name,
  occurredAt: new Date(clock.now()).toISOString(),
  requestId: currentRequestId(),
  traceparent: currentTraceparent(),
  // The type checker cannot relate name and data through the index of the table.
  data: toContract(events[name], data) as EventData<N>,
});

const isEventName = (name: string): name is EventName => Object.hasOwn(events, name);

type Parse = <S extends z.ZodType>(contract: S, content: unknown) => z.output<S>;

function eventOf(content: unknown, parse: Parse): Event {
  const { name: storedName, data, ...envelope } = parse(EventEnvelope, content);
  const name = currentName(storedName);
  if (!isEventName(name)) throw new Error(`there is no event ${name}`);
  // Name and data are of one row of the table; the type checker cannot relate them through the index.
  return { ...envelope, name, data: parse(events[name], currentData(name, data)) } as Event;
}

/** Validates an event from outside. Throws if it does not match its contract. */
export const parseEvent = (content: unknown): Event =>
  eventOf(content, (contract, data) => contract.parse(data));

/** Reduces an event to its contract. */
export const eventToContract = (event: Event): Event => eventOf(event, toContract);

/** Calls the handler of an event. */
export async function dispatch<N extends EventName>(
  handlers: AnyEventHandlers,
  event: Event<N>,
): Promise<void> {
  const name: N = event.name;
  await handlers[name]?.(event);
}

/** A delivery of an event to a service. */
export interface DeliveredEvent {
  service: ServiceName;
  handlers: AnyEventHandlers;
  event: Event;
  logger: Logger;
  clock?: Pick<Clock, 'now'>;
}

/** An event that took longer, in milliseconds, is logged where the usual ones are not. */
const slowEventMs = 1_000;

/** Handles an event in the context of the call that caused it, and logs and counts that. */
export function handleEvent({
  service,
  handlers,
  event,
  logger,
  clock = systemClock,
}: DeliveredEvent): Promise<void> {
  const { name, id, occurredAt, replayed, requestId = randomUUID(), traceparent: parent } = event;
  // A replayed event is not part of a user's request.
  const span = replayed
    ? undefined
    : startSpan({ service, kind: 'consumer', name: `handle ${name}`, parent });
  return requestContext.run({ requestId, span }, async () => {
    const started = performance.now();
    try {
      await dispatch(handlers, event);
    } catch (error) {
      span?.end({ failure: error });
      throw error;
    }
    metrics.eventsHandled.inc({ service, event: name, outcome: 'done' });
    if (!replayed) metrics.eventLag.observe({ service }, (clock.now() - Date.parse(occurredAt)) / 1_000);
    const ms = Math.round(performance.now() - started);
    logger[ms < slowEventMs ? 'debug' : 'info']({ service, event: name, eventId: id, ms }, 'event');
    span?.end({ attributes: { 'messaging.message.id': id, 'wayquest.request_id': requestId } });
  });
}
