import type { Operation } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/http';
import type { Visitor } from './visitor.ts';

export interface AtOnceLimits {
  /** Calls in hand of one address. */
  perAddress: number;
  /** Calls in hand of one token, or of one address as far as they come without any. */
  perCaller: number;
  /** WebSockets and waiting polls of one address. */
  sockets: number;
}

export const defaultAtOnce: AtOnceLimits = { perAddress: 150, perCaller: 24, sockets: 300 };

/** How many may wait for each that is in hand: a page, or an office at nine, asks for much in one moment. */
const waitingEach = 10;

/** Says that what was entered is over. */
type Leave = () => void;

/** Counts what each of many has in hand. */
export interface AtOnce {
  /** Waits for its turn, if need be and not for long. Rejects with `too-many-requests`. */
  enter(key: string): Promise<Leave>;
}

interface Queue {
  inHand: number;
  waiting: Set<() => void>;
}

/** So many at once for each, whoever they are; more wait behind their own for at most `waitMs`. */
export function createAtOnce(most: number, waitMs: number): AtOnce {
  const queues = new Map<string, Queue>();
  const tooMany = () => new Problem('too-many-requests', { retryAfterSeconds: 1 });

  const leaveOnce = (key: string, queue: Queue): Leave => {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const [next] = queue.waiting;
      if (next) return next();
      queue.inHand -= 1;
      if (queue.inHand === 0) queues.delete(key);
    };
  };

  return {
    async enter(key) {
      const queue = queues.get(key) ?? { inHand: 0, waiting: new Set() };
      queues.set(key, queue);
      if (queue.inHand < most) {
        queue.inHand += 1;
        return leaveOnce(key, queue);
      }
      if (waitMs === 0 || queue.waiting.size >= most * waitingEach) throw tooMany();
      return new Promise((resolve, reject) => {
        const turn = () => {
          clearTimeout(timer);
          queue.waiting.delete(turn);
          resolve(leaveOnce(key, queue));
        };
        const timer = setTimeout(() => {
          queue.waiting.delete(turn);
          reject(tooMany());
        }, waitMs);
        queue.waiting.add(turn);
      });
    },
  };
}

export interface CallsAtOnce {
  /** Rejects with `too-many-requests`. */
  enter(operation: Pick<Operation, 'navigation'>, visitor: Visitor): Promise<Leave>;
}

/** The calls in hand: few enough of each caller that a service's connections are left for the others. */
export function createCallsAtOnce(
  { perAddress, perCaller }: Pick<AtOnceLimits, 'perAddress' | 'perCaller'>,
  waitMs: number,
): CallsAtOnce {
  const addresses = createAtOnce(perAddress, waitMs);
  const callers = createAtOnce(perCaller, waitMs);
  return {
    async enter({ navigation }, { network, caller }) {
      // A page asks for as many pictures as it shows people; they count against the address alone.
      if (navigation) return addresses.enter(network);
      // Its own turn first: who waits behind themselves takes no room from the others of their address.
      const leaveCaller = await callers.enter(caller);
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
