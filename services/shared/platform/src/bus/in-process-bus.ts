import { randomUUID } from 'node:crypto';
import type { Event, ServiceName } from '@wayquest/contracts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { requestContext } from '../telemetry/request-context.ts';
import { judge, reasonOf } from './attempts.ts';
import { BusAway, createRests } from './away.ts';
import {
  type AnyConsumers,
  countHandled,
  dispatch,
  type EventBus,
  parseEvent,
  presentEvent,
  subscribersOf,
} from './event-bus.ts';
import type { FailedDeliveries, FailedDelivery } from './failed-deliveries.ts';

const lookEveryMs = 500;

export interface InProcessBusOptions {
  logger: Logger;
  /** Who takes part: an event waits in its outbox until each of them that subscribes to it is there. */
  services: readonly ServiceName[];
  failed: FailedDeliveries;
}

interface Subscriber {
  consumers: AnyConsumers;
  rests: ReturnType<typeof createRests>;
  /** Until then it rests because a part is away. */
  restsUntil: number;
}

/**
 * The bus of the all-in-one mode. `publish` resolves when every subscriber has done its part, or what it could not do
 * is kept for another attempt; it rejects when not even that was possible: the event then stays in its outbox, which
 * tries again, also after a crash.
 */
export function createInProcessBus({ logger, services, failed }: InProcessBusOptions): EventBus {
  const subscribers = new Map<ServiceName, Subscriber>();
  const underWay = new Set<Promise<unknown>>();
  const beingRetried = new Set<string>();
  let closed = false;

  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };

  const keepFailed = async (
    service: ServiceName,
    subscriber: Subscriber,
    event: Event,
    attempt: number,
    error: unknown,
  ) => {
    const verdict = judge(error, attempt);
    const { outcome } = verdict;
    metrics.eventsHandled.inc({ service, event: event.name, outcome });
    let dueAt: Date | null = new Date(Date.now() + verdict.delay);
    if (outcome === 'dead') dueAt = null;
    if (outcome === 'deferred') {
      if (subscriber.restsUntil <= Date.now()) {
        subscriber.restsUntil = Date.now() + subscriber.rests.next();
        logger.warn({ err: error, service }, 'a part is away: events wait for it');
      }
      dueAt = new Date(subscriber.restsUntil);
    } else {
      const which = { event: event.name, eventId: event.id, attempt: verdict.attempt };
      logger.error({ err: error, ...which, service, outcome }, 'an event could not be handled');
    }
    await failed.keep({ service, event, attempt: verdict.attempt, reason: reasonOf(error), dueAt });
  };

  /** Resolves when the event is handled or kept. */
  const deliver = async (service: ServiceName, subscriber: Subscriber, event: Event, attempt: number) => {
    if (subscriber.restsUntil > Date.now()) {
      const dueAt = new Date(subscriber.restsUntil);
      await failed.keep({ service, event, attempt, reason: 'a part was away', dueAt });
      return false;
    }
    try {
      await requestContext.run({ requestId: event.requestId ?? randomUUID() }, () =>
        dispatch(subscriber.consumers, parseEvent(event)),
      );
      countHandled(service, event);
      return true;
    } catch (error) {
      await keepFailed(service, subscriber, event, attempt, error);
      return false;
    }
  };

  const retry = async (delivery: FailedDelivery) => {
    const { service, event, attempt } = delivery;
    const subscriber = subscribers.get(service);
    if (!subscriber) return;
    const key = `${service}/${event.id}`;
    if (beingRetried.has(key)) return;
    beingRetried.add(key);
    try {
      if (await deliver(service, subscriber, event, attempt)) await failed.forget(delivery);
    } finally {
      beingRetried.delete(key);
    }
  };

  const look = async () => {
    const awake = [...subscribers].filter(([, { restsUntil }]) => restsUntil <= Date.now());
    if (!awake.length) return;
    for (const delivery of await failed.due(awake.map(([service]) => service))) {
      // One that takes its time holds up no other.
      track(retry(delivery)).catch((error) => logger.warn({ err: error }, 'an event could not be retried'));
    }
  };

  // Looking alone keeps no process from ending.
  const soon = () => setTimeout(loop, lookEveryMs).unref();
  const loop = () => {
    track(look())
      .catch((error) => logger.warn({ err: error }, 'events that failed could not be looked up'))
      .finally(() => {
        if (!closed) timer = soon();
      });
  };
  let timer = soon();

  return {
    async publish(event, { to } = {}) {
      const content = presentEvent(event);
      const wanted = to ? [to] : subscribersOf(event.name);
      const absent = wanted.filter((service) => services.includes(service) && !subscribers.has(service));
      if (absent.length) throw new BusAway(`${event.name} waits for ${absent.join(', ')}`);
      const deliveries = await Promise.allSettled(
        [...subscribers]
          .filter(([service]) => wanted.includes(service))
          .map(([service, subscriber]) => track(deliver(service, subscriber, content, 0))),
      );
      const lost = deliveries.find((delivery) => delivery.status === 'rejected');
      if (lost) throw new BusAway(`${event.name} was not handled everywhere`, { cause: lost.reason });
      metrics.eventsPublished.inc({ event: event.name });
    },
    async subscribe(service, consumers) {
      subscribers.set(service, { consumers, rests: createRests(), restsUntil: 0 });
      return {
        async close() {
          subscribers.delete(service);
          await Promise.allSettled(underWay);
        },
      };
    },
    ready: () => true,
    idle: async () =>
      underWay.size === 0 && (await failed.waiting([...subscribers.keys()])) === 0 && underWay.size === 0,
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled(underWay);
    },
  };
}
