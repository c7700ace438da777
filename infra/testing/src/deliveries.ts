import { type Event, type EventName, subscriptions } from '@wayquest/contracts';
import fc from 'fast-check';
import { fuzzing } from './fuzzing.ts';
import {
  type IsolatedService,
  type IsolatedServiceOptions,
  startIsolatedService,
} from './isolated-service.ts';
import type { Network } from './network/network.ts';

/** Records the events that are published on a network's bus from now on, in order. */
export function recordEvents({ bus }: Network): Event[] {
  const published: Event[] = [];
  const { publish } = bus;
  bus.publish = async (event, options) => {
    published.push(event);
    await publish(event, options);
  };
  return published;
}

/**
 * Generates the deliveries that a bus may make of a history: each event once or several times, on time or late, alone or
 * concurrently with others. Failures shrink towards the original order.
 */
export const shuffledDeliveries = <E>(history: readonly E[]): fc.Arbitrary<E[][]> => {
  const delay = fc.oneof(fc.constant(0), fc.nat(2 * history.length));
  const delaysByEvent = history.map(() => fc.array(delay, { minLength: 1, maxLength: 3 }));
  return fc.tuple(...delaysByEvent).map((all) => {
    const batches = new Map<number, E[]>();
    for (const [index, event] of history.entries()) {
      for (const delay of all[index] ?? []) {
        const batchIndex = index + delay;
        batches.set(batchIndex, [...(batches.get(batchIndex) ?? []), event]);
      }
    }
    return [...batches].sort(([one], [other]) => one - other).map(([, events]) => events);
  });
};

/** Maximum number of retries of an event, since an event that it depends on may arrive later. */
const maxAttempts = 5;

async function deliver(service: IsolatedService, batches: readonly Event[][]): Promise<void> {
  let failed: Event[] = [];
  for (const events of batches) {
    const outcomes = await Promise.allSettled(events.map(service.deliver));
    failed.push(...events.filter((_, index) => outcomes[index]?.status === 'rejected'));
  }
  for (let attempt = 1; failed.length; attempt++) {
    const retried = failed;
    failed = [];
    for (const event of retried) {
      await service.deliver(event).catch((error: unknown) => {
        if (attempt === maxAttempts) throw error;
        failed.push(event);
      });
    }
  }
  await service.settle();
}

interface DeliveryScenario<A> extends IsolatedServiceOptions {
  /** Recorded events; those that the service subscribes to are delivered. */
  history: Event[];
  /** Reads the service's responses after the deliveries. */
  readResponses(service: IsolatedService): Promise<A>;
  /** Called before the deliveries. */
  prepare?(service: IsolatedService): Promise<void>;
}

/** Number of delivery orders that are compared with the original one. */
const shuffles = 3;

/**
 * Asserts that a service ends in the same state in whatever order its events arrive. Delivers a history to new instances
 * of the service: first in order, then reversed, duplicated and shuffled.
 *
 * @returns The responses, so that a test can check that they are not empty.
 */
export async function expectSameResponses<A>(scenario: DeliveryScenario<A>): Promise<A> {
  const subscribed: readonly EventName[] = subscriptions[scenario.service];
  const history = scenario.history.filter(({ name }) => subscribed.includes(name));
  const responsesAfter = async (batches: Event[][]): Promise<A> => {
    const service = await startIsolatedService(scenario);
    try {
      await scenario.prepare?.(service);
      await deliver(service, batches);
      return await scenario.readResponses(service);
    } finally {
      await service.stop();
    }
  };
  const expected = await responsesAfter(history.map((event) => [event]));
  const reversed = history.toReversed().map((event) => [event]);
  const duplicated = history.map((event) => [event, event]);
  await fc.assert(
    fc.asyncProperty(shuffledDeliveries(history), async (batches) => {
      expect(await responsesAfter(batches)).toEqual(expected);
    }),
    { ...fuzzing(shuffles), examples: [[reversed], [duplicated]] },
  );
  return expected;
}
