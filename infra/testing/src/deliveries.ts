import { type Event, type EventName, subscriptions } from '@wayquest/contracts';
import fc from 'fast-check';
import {
  type IsolatedService,
  type IsolatedServiceOptions,
  startIsolatedService,
} from './isolated-service.ts';
import type { Network } from './network/network.ts';

/** Keeps what is told on a network's bus from now on, in the order in which it was. */
export function recordEvents({ bus }: Network): Event[] {
  const told: Event[] = [];
  const { publish } = bus;
  bus.publish = async (event, options) => {
    told.push(event);
    await publish(event, options);
  };
  return told;
}

/**
 * Ways in which a bus may deliver a history: each event once or more often, in its turn or late, alone or at the same
 * moment as others. Any order can come of it; it shrinks towards the one in which things happened.
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

/** How often an event may come again because it could not be handled: what it needs may be behind it. */
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
  /** What happened; the service is given of it what it subscribes to. */
  history: Event[];
  /** What the service answers in the end. */
  answers(alone: IsolatedService): Promise<A>;
  /** Before anything is delivered. */
  prepare?(alone: IsolatedService): Promise<void>;
}

/** How many deliveries are tried beside the one in order. */
const runs = 10;

/** The same deliveries in every run, so that a failure comes of what changed. */
const seed = 7;

/**
 * Gives a history to a new instance of a service, again and again: in its order first, then as a bus may deliver it.
 * What it answers in the end has to be the same. Answers it, for a test to see that it says something.
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
