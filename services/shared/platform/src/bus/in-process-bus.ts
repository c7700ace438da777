import type { Event, ServiceName } from '@wayquest/contracts';
import { type Clock, systemClock } from '../async/clock.ts';
import { startPeriodicTask } from '../async/periodic-task.ts';
import { BusUnavailableError, SubscriberUnavailableError } from '../core/unavailable.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import {
  type AnyEventHandlers,
  type EventBus,
  eventToContract,
  handleEvent,
  parseEvent,
  type SubscribeOptions,
  subscribersOf,
} from './event-bus.ts';
import type { FailedDeliveries, FailedDelivery } from './failed-deliveries.ts';
import {
  type ConsumerBackoff,
  createConsumerBackoff,
  decideRetry,
  reasonOf,
  storeDeadLetter,
} from './retry-policy.ts';

/** Retries that are due within this time are polled for together. */
const coalesceMs = 500;
/** How often it polls for replayed dead letters and for retries that were due when a process was killed. */
const sweepMs = 5_000;
/** A timer may be a little early. */
const timerSlackMs = 5;

export interface InProcessBusOptions {
  logger: Logger;
  /**
   * All services in this process: an event stays in its outbox until all of its subscribers among them have started.
   */
  services: readonly ServiceName[];
  failed: FailedDeliveries;
  clock?: Clock;
}

interface Subscriber extends SubscribeOptions {
  handlers: AnyEventHandlers;
  backoff: ConsumerBackoff;
  /** Paused until then, because a dependency is unavailable. */
  pausedUntil: number;
}

/**
 * The bus of the all-in-one mode. `publish` resolves when every subscriber has handled the event, or a failed delivery
 * is stored for a retry. It rejects if that was impossible: then the event stays in its outbox, which publishes it
 * again, also after a crash.
 */
export function createInProcessBus({
  logger,
  services,
  failed,
  clock = systemClock,
}: InProcessBusOptions): EventBus {
  const subscribers = new Map<ServiceName, Subscriber>();
  /** Services that have subscribed since the process started. */
  const startedServices = new Set<ServiceName>();
  const pending = new Set<Promise<unknown>>();
  /** Running deliveries by service and event. */
  const running = new Map<string, Promise<boolean>>();
  const scheduledPolls = new Set<number>();
  const closing = new AbortController();

  const track = <T>(work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
    return tracked;
  };

  const save = async (delivery: FailedDelivery) => {
    await failed.save(delivery);
    if (delivery.dueAt) schedulePoll(delivery.dueAt.getTime());
  };

  /** Whether it was stored; not if it is about an erased user. */
  const saveFailed = async (
    service: ServiceName,
    subscriber: Subscriber,
    event: Event,
    attempt: number,
    error: unknown,
  ) => {
    const decision = decideRetry(error, attempt);
    const { outcome } = decision;
    metrics.eventsHandled.inc({ service, event: event.name, outcome });
    let dueAt = new Date(clock.now() + decision.delayMs);
    if (outcome === 'deferred') {
      if (subscriber.pausedUntil <= clock.now()) {
        subscriber.pausedUntil = clock.now() + subscriber.backoff.next();
        // While the process starts, a handler may publish to a service that has not subscribed yet.
        const level = error instanceof SubscriberUnavailableError ? 'info' : 'warn';
        logger[level]({ err: error, service }, 'dependency unavailable; pausing consumer');
      }
      dueAt = new Date(subscriber.pausedUntil);
    } else {
      const { name, id: eventId, requestId } = event;
      const logFields = { event: name, eventId, requestId, attempt: decision.attempt };
      logger.error({ err: error, ...logFields, service, outcome }, 'could not handle an event');
    }
    const delivery = { service, event, attempt: decision.attempt, reason: reasonOf(error) };
    if (outcome !== 'dead') {
      await save({ ...delivery, dueAt });
      return true;
    }
    return storeDeadLetter({
      ...{ event, isErased: subscriber.isErased },
      store: () => save({ ...delivery, dueAt: null }),
      erase: (filter) => failed.erase(service, filter),
    });
  };

  /** Resolves when the event was handled, or stored for a retry. Returns whether no retry is needed. */
  const deliver = async (service: ServiceName, subscriber: Subscriber, event: Event, attempt: number) => {
    if (subscriber.pausedUntil > clock.now()) {
      const dueAt = new Date(subscriber.pausedUntil);
      await save({ service, event, attempt, reason: 'dependency unavailable', dueAt });
      return false;
    }
    try {
      const { handlers } = subscriber;
      await handleEvent({ service, handlers, event: parseEvent(event), logger, clock });
      return true;
    } catch (error) {
      return !(await saveFailed(service, subscriber, event, attempt, error));
    }
  };

  /**
   * Delivers an event, or waits for its running delivery: an outbox publishes an event again if handling it takes long,
   * as on a busy machine.
   */
  const deliverOnce = (service: ServiceName, subscriber: Subscriber, event: Event, attempt: number) => {
    const key = `${service}/${event.id}`;
    const delivery =
      running.get(key) ??
      track(deliver(service, subscriber, event, attempt)).finally(() => running.delete(key));
    running.set(key, delivery);
    return delivery;
  };

  const retry = async (delivery: FailedDelivery) => {
    const { service, event, attempt } = delivery;
    const subscriber = subscribers.get(service);
    if (subscriber && (await deliverOnce(service, subscriber, event, attempt))) await failed.delete(delivery);
  };

  const poll = async () => {
    const active = [...subscribers].filter(([, { pausedUntil }]) => pausedUntil <= clock.now());
    if (!active.length) return;
    const due = await failed.findDue(
      active.map(([service]) => service),
      new Date(clock.now()),
    );
    for (const delivery of due) {
      // In parallel: a slow one does not delay the others.
      track(retry(delivery)).catch((error) => logger.warn({ err: error }, 'could not retry an event'));
    }
    // There may be more than one batch, and one that could not be stored is still due.
    if (due.length) schedulePoll(clock.now());
  };

  /** Schedules the next poll; the timer does not keep the process alive. */
  const schedulePoll = (moment: number) => {
    const at = (Math.floor(moment / coalesceMs) + 1) * coalesceMs;
    if (closing.signal.aborted || scheduledPolls.has(at)) return;
    const run = () => {
      scheduledPolls.delete(at);
      track(poll()).catch((error) => {
        logger.warn({ err: error }, 'could not load failed events');
        schedulePoll(clock.now());
      });
    };
    scheduledPolls.add(at);
    clock.sleep(at - clock.now() + timerSlackMs, closing.signal).then(run, () => {});
  };
  const sweep = startPeriodicTask(sweepMs, async () => schedulePoll(clock.now()), { clock });

  return {
    async publish(event, { to } = {}) {
      const content = eventToContract(event);
      const receivers = to ? [to] : subscribersOf(content.name);
      const missingSubscribers = receivers.filter(
        (service) => services.includes(service) && !subscribers.has(service),
      );
      if (missingSubscribers.length)
        throw new SubscriberUnavailableError(
          `${event.name} is queued until ${missingSubscribers.join(', ')} subscribe`,
        );
      const deliveries = await Promise.allSettled(
        [...subscribers]
          .filter(([service]) => receivers.includes(service))
          .map(([service, subscriber]) => deliverOnce(service, subscriber, content, 0)),
      );
      const rejected = deliveries.find((delivery) => delivery.status === 'rejected');
      if (rejected)
        throw new BusUnavailableError(`${event.name} was not handled by all subscribers`, {
          cause: rejected.reason,
        });
      metrics.eventsPublished.inc({ event: event.name });
    },
    async subscribe(service, handlers, options) {
      startedServices.add(service);
      subscribers.set(service, {
        ...options,
        handlers,
        backoff: createConsumerBackoff(clock),
        pausedUntil: 0,
      });
      metrics.busConsumers.set({ service }, 1);
      schedulePoll(clock.now());
      return {
        async close() {
          subscribers.delete(service);
          metrics.busConsumers.set({ service }, 0);
          await Promise.allSettled(pending);
        },
      };
    },
    eraseDeadLetters: failed.erase,
    // Until then, outboxes keep the events that a killed process left in them.
    responds: () => true,
    ready: () => services.every((service) => startedServices.has(service)),
    idle: async () =>
      pending.size === 0 && (await failed.countPending([...subscribers.keys()])) === 0 && pending.size === 0,
    async close() {
      closing.abort();
      await sweep.stop();
      await Promise.allSettled(pending);
    },
  };
}
