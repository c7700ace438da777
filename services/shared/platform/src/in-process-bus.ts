import { randomUUID } from 'node:crypto';
import { type EventName, type ServiceName, subscriptions } from '@wayquest/contracts';
import { type AnyConsumers, dispatch, type EventBus, parseEvent } from './event-bus.ts';
import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { requestContext } from './request-context.ts';

export interface InProcessBusOptions {
  logger: Logger;
  /** Who takes part: an event waits in its outbox until each of them that subscribes to it is there. */
  services: readonly ServiceName[];
}

const wants = (service: ServiceName, event: EventName) =>
  (subscriptions[service] as readonly EventName[]).includes(event);

/**
 * The bus of the all-in-one mode. `publish` resolves when every subscriber has done its part and rejects when
 * one could not: the event then stays in its outbox, which tries again, also after a crash.
 */
export function createInProcessBus({ logger, services }: InProcessBusOptions): EventBus {
  const subscribers = new Map<ServiceName, AnyConsumers>();
  const underWay = new Set<Promise<unknown>>();

  return {
    async publish(event, { to } = {}) {
      const absent = services.filter(
        (service) => (to ?? service) === service && wants(service, event.name) && !subscribers.has(service),
      );
      if (absent.length) throw new Error(`${event.name} waits for ${absent.join(', ')}`);
      const content = parseEvent(structuredClone(event));
      const deliver = async (service: ServiceName, consumers: AnyConsumers) => {
        try {
          await requestContext.run({ requestId: event.requestId ?? randomUUID() }, () =>
            dispatch(consumers, content),
          );
          metrics.eventsHandled.inc({ service, event: event.name, outcome: 'done' });
        } catch (error) {
          metrics.eventsHandled.inc({ service, event: event.name, outcome: 'retried' });
          logger.error(
            { err: error, event: event.name, eventId: event.id, service },
            'an event could not be handled',
          );
          throw error;
        }
      };
      const deliveries = Promise.allSettled(
        [...subscribers]
          .filter(([service]) => (to ?? service) === service)
          .map(([service, consumers]) => deliver(service, consumers)),
      );
      underWay.add(deliveries);
      const failed = (await deliveries.finally(() => underWay.delete(deliveries))).find(
        (delivery) => delivery.status === 'rejected',
      );
      if (failed) throw new Error(`${event.name} was not handled everywhere`, { cause: failed.reason });
      metrics.eventsPublished.inc({ event: event.name });
    },
    async subscribe(service, consumers) {
      subscribers.set(service, consumers);
      return {
        async close() {
          subscribers.delete(service);
          await Promise.allSettled(underWay);
        },
      };
    },
    ready: () => true,
    idle: async () => underWay.size === 0,
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}
