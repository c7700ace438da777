import type { Operation } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/http';
import type { Visitor } from './visitor.ts';

export interface AtOnceLimits {
  /** Calls in hand of one address. */
  perAddress: number;
  /** Calls in hand of one token; twice as many of one address as far as they come without any. */
  perCaller: number;
  /** WebSockets and waiting polls of one address. */
  sockets: number;
}

export const defaultAtOnce: AtOnceLimits = { perAddress: 150, perCaller: 12, sockets: 300 };

/** Behind one address there may be several people. */
const visitorsEach = 2;

/** How many may wait for each that is in hand: a page, or an office at nine, asks for much in one moment. */
const waitingEach = 10;

/** Says that what was entered is over. */
type Leave = () => void;

/** Counts what each of many has in hand. */
export interface AtOnce {
  /**
   * Waits for its turn, if need be and not for long; what is costly takes the room of several, or all. Rejects with
   * `too-many-requests`.
   */
  enter(key: string, weight?: number): Promise<Leave>;
}

interface Queue {
  inHand: number;
  /** How much room each takes, the first to come first. */
  waiting: Map<() => void, number>;
}

/** So many at once for each, whoever they are; more wait behind their own for at most `waitMs`. */
export function createAtOnce(most: number, waitMs: number): AtOnce {
  const queues = new Map<string, Queue>();
  const tooMany = () => new Problem('too-many-requests', { retryAfterSeconds: 1 });

  const letIn = (queue: Queue): void => {
    for (const [turn, wanted] of queue.waiting) {
      if (queue.inHand + wanted > most) return;
      turn();
    }
  };

  const admit = (key: string, queue: Queue, room: number): Leave => {
    queue.inHand += room;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      queue.inHand -= room;
      letIn(queue);
      if (queue.inHand === 0) queues.delete(key);
    };
  };

  return {
    async enter(key, weight = 1) {
      const room = Math.min(weight, most);
      const queue = queues.get(key) ?? { inHand: 0, waiting: new Map() };
      queues.set(key, queue);
      if (queue.waiting.size === 0 && queue.inHand + room <= most) return admit(key, queue, room);
      if (waitMs === 0 || queue.waiting.size >= most * waitingEach) throw tooMany();
      return new Promise((resolve, reject) => {
        const turn = () => {
          clearTimeout(timer);
          queue.waiting.delete(turn);
          resolve(admit(key, queue, room));
        };
        const timer = setTimeout(() => {
          queue.waiting.delete(turn);
          reject(tooMany());
          // Who stood behind may need less room.
          letIn(queue);
        }, waitMs);
        queue.waiting.set(turn, room);
      });
    },
  };
}

export interface CallsAtOnce {
  /** Rejects with `too-many-requests`. */
  enter(operation: Pick<Operation, 'navigation' | 'weight'>, visitor: Visitor): Promise<Leave>;
}

/** The calls in hand: few enough of each caller that a service's connections are left for the others. */
export function createCallsAtOnce(
  { perAddress, perCaller }: Pick<AtOnceLimits, 'perAddress' | 'perCaller'>,
  waitMs: number,
): CallsAtOnce {
  const addresses = createAtOnce(perAddress, waitMs);
  const callers = createAtOnce(perCaller, waitMs);
  const visitors = createAtOnce(perCaller * visitorsEach, waitMs);
  return {
    async enter({ navigation, weight }, { network, caller }) {
      // A page asks for as many pictures as it shows people; they count against the address alone.
      if (navigation) return addresses.enter(network);
      // Its own turn first: who waits behind themselves takes no room from the others of their address.
      const leaveCaller = await (caller === network ? visitors : callers).enter(caller, weight);
      try {
        const leaveAddress = await addresses.enter(network);
        return () => {
          leaveAddress();
          leaveCaller();
        };
      } catch (error) {
        leaveCaller();
        throw error;
      }
    },
  };
}
