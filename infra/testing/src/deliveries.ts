import { type Event, type EventName, subscriptions } from '@wayquest/contracts';
import fc from 'fast-check';
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
 * Deliveries of a history that a bus may make: each event once or several times, on time or late, alone or concurrently
 * with others. Any order is possible; it shrinks towards the original one.
 */
export const shuffledDeliveries = <E>(history: readonly E[]): fc.Arbitrary<E[][]> => {
  const late = fc.oneof(fc.constant(0), fc.nat(2 * history.length));
  const latenesses = history.map(() => fc.array(late, { minLength: 1, maxLength: 3 }));
  return fc.tuple(...latenesses).map((all) => {
    const moments = new Map<number, E[]>();
    for (const [index, event] of history.entries()) {
      for (const lateness of all[index] ?? []) {
        const moment = index + lateness;
        moments.set(moment, [...(moments.get(moment) ?? []), event]);
      }
    }
    return [...moments].sort(([one], [other]) => one - other).map(([, events]) => events);
  });
};

/** How often an event is retried after it could not be handled, since what it depends on may arrive later. */
const attempts = 5;

async function deliver(alone: IsolatedService, moments: readonly Event[][]): Promise<void> {
  let waiting: Event[] = [];
  for (const events of moments) {
    const outcomes = await Promise.allSettled(events.map(alone.deliver));
    waiting.push(...events.filter((_, index) => outcomes[index]?.status === 'rejected'));
  }
  for (let attempt = 1; waiting.length; attempt++) {
    const again = waiting;
    waiting = [];
    for (const event of again) {
      await alone.deliver(event).catch((error: unknown) => {
        if (attempt === attempts) throw error;
        waiting.push(event);
      });
    }
  }
  await alone.settle();
}

interface DeliveryTrial<A> extends IsolatedServiceOptions {
  /** Recorded events; those that the service subscribes to are delivered. */
  history: Event[];
  /** Reads the service's responses after the deliveries. */
  answers(alone: IsolatedService): Promise<A>;
  /** Called before the deliveries. */
  prepare?(alone: IsolatedService): Promise<void>;
}

/** Number of other deliveries: backwards, each event twice, and shuffled ones. */
const runs = 6;

/** A fixed seed, so that a failure is caused by a change. */
const seed = 7;

/**
 * Delivers a history to new instances of a service: first in order, then as a bus may deliver it. The final responses
 * must be the same. Returns them, so that a test can check that they are not empty.
 */
export async function expectSameAnswers<A>(trial: DeliveryTrial<A>): Promise<A> {
  const wanted: readonly EventName[] = subscriptions[trial.service];
  const history = trial.history.filter(({ name }) => wanted.includes(name));
  const answersAfter = async (moments: Event[][]): Promise<A> => {
    const alone = await startIsolatedService(trial);
    try {
      await trial.prepare?.(alone);
      await deliver(alone, moments);
      return await trial.answers(alone);
    } finally {
      await alone.stop();
    }
  };
  const inOrder = await answersAfter(history.map((event) => [event]));
  const backwards = history.toReversed().map((event) => [event]);
  const twiceAtOnce = history.map((event) => [event, event]);
  await fc.assert(
    fc.asyncProperty(shuffledDeliveries(history), async (moments) => {
      expect(await answersAfter(moments)).toEqual(inOrder);
    }),
    { numRuns: runs, seed, examples: [[backwards], [twiceAtOnce]] },
  );
  return inOrder;
}
