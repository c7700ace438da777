import { startTimeout } from '@wayquest/contracts';

/**
 * How urgent a call is, the most urgent first: the next call for a request that has already waited for one, the first
 * call for a request, and work that nobody waits for.
 */
export type Urgency = 'continued' | 'first' | 'background';

/** Limits the calls under way to a dependency to as many as it answers in time. */
export interface AdaptiveLimit {
  /**
   * Begins a call, at once or when it is its turn.
   *
   * @param maxWaitMs - How long it may wait for its turn, in milliseconds.
   * @returns Nothing if it begins at once, so that this costs nothing.
   * @throws The error of `overloadError` if its turn does not come in time.
   */
  begin(urgency: Urgency, maxWaitMs: number): Promise<void> | undefined;
  /** Ends a call: it was answered, in time or late, or has failed. */
  end(startedAt: number): void;
  /** Rejects all calls that wait for their turn. */
  rejectWaiting(error: Error): void;
  /** How many calls may be under way. */
  limit(): number;
  /** How many calls wait for their turn. */
  waiting(): number;
}

export interface AdaptiveLimitOptions {
  /** A call that takes longer, in milliseconds, was answered late. */
  lateMs: number;
  /** Maximum calls under way, which is also the first limit. */
  max: number;
  /** Creates the error for a call whose turn does not come in time. */
  overloadError(): Error;
  /** The time in milliseconds; default: the process's monotonic clock. */
  now?(): number;
}

interface WaitingCall {
  begin(): void;
  reject(error: Error): void;
}

/** One in this number of turns is given to background work, however many requests wait. */
const turnsPerBackgroundTurn = 8;

/**
 * Creates a limit that adapts as TCP's congestion window does (additive increase, multiplicative decrease; Chiu and Jain
 * 1989): a late answer halves it, once for all calls that were under way, and each answer in time raises it a little while
 * it is used up. So a slow dependency answers few calls in time, instead of all of them too late.
 *
 * A request that has begun comes before those that have not, so that what was done for it is not lost. Of the others the
 * newest is the first: the oldest will hardly be ready before its caller gives up.
 */
export function createAdaptiveLimit({
  lateMs,
  max,
  overloadError,
  now = () => performance.now(),
}: AdaptiveLimitOptions): AdaptiveLimit {
  let limit = max;
  let underWay = 0;
  let reducedAt = Number.NEGATIVE_INFINITY;
  let turns = 0;
  const waiting: Record<Urgency, WaitingCall[]> = { continued: [], first: [], background: [] };

  const nextCall = (): WaitingCall | undefined => {
    turns += 1;
    const { continued, first, background } = waiting;
    if (turns % turnsPerBackgroundTurn === 0 && background.length) return background.shift();
    return continued.shift() ?? first.pop() ?? background.shift();
  };

  const beginNext = () => {
    while (underWay < Math.floor(limit)) {
      const call = nextCall();
      if (!call) return;
      underWay += 1;
      call.begin();
    }
  };

  const waitForTurn = (urgency: Urgency, maxWaitMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const calls = waiting[urgency];
      const cancelTimeout = startTimeout(maxWaitMs, () => {
        calls.splice(calls.indexOf(call), 1);
        reject(overloadError());
      });
      const call: WaitingCall = {
        begin() {
          cancelTimeout();
          resolve();
        },
        reject(error) {
          cancelTimeout();
          reject(error);
        },
      };
      calls.push(call);
    });

  return {
    begin(urgency, maxWaitMs) {
      if (underWay >= Math.floor(limit)) return waitForTurn(urgency, maxWaitMs);
      underWay += 1;
      return undefined;
    },
    end(startedAt) {
      const isUsedUp = underWay >= Math.floor(limit);
      if (now() - startedAt <= lateMs) {
        if (isUsedUp) limit = Math.min(max, limit + 1 / limit);
      } else if (startedAt >= reducedAt) {
        limit = Math.max(1, Math.min(limit, underWay) / 2);
        reducedAt = now();
      }
      underWay -= 1;
      beginNext();
    },
    rejectWaiting(error) {
      for (const calls of Object.values(waiting)) for (const call of calls.splice(0)) call.reject(error);
    },
    limit: () => Math.floor(limit),
    waiting: () => waiting.continued.length + waiting.first.length + waiting.background.length,
  };
}
