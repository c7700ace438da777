import { z } from 'zod';

const Name = z.string();
const Num = z.number();
const of = <W extends string, S extends z.core.$ZodLooseShape>(what: W, shape: S) =>
  z.object({ what: z.literal(what), ...shape });

/** The intended effect of a call, or what it read. */
export const Intent = z.discriminatedUnion('what', [
  of('sign up', { username: Name }),
  of('log in', { username: Name }),
  of('make a challenge', { name: Name, challengeId: Num.optional() }),
  of('delete a challenge', { challengeId: Num }),
  of('join', { challengeId: Num }),
  of('leave', { challengeId: Num }),
  of('complete', { challengeId: Num }),
  of('ask for friendship', { friendId: Num }),
  of('accept', { friendId: Num }),
  of('unfriend', { friendId: Num }),
  of('block', { userId: Num }),
  of('report', { userId: Num }),
  of('send', { conversationId: Num, clientId: Name }),
  of('change the name', { firstName: Name }),
  of('read points', { points: Num.optional() }),
  of('read participations', {
    participations: z.array(z.object({ challengeId: Num, completed: z.boolean() })).optional(),
  }),
  of('read messages', { conversationId: Num, clientIds: z.array(Name.nullable()).optional() }),
  of('read the board', {}),
  of('read notifications', {}),
  of('search', {}),
]);
export type Intent = z.infer<typeof Intent>;

/** Acknowledged; rejected, without an effect; or unknown. */
const Outcome = z.enum(['ok', 'refused', 'unknown']);
export type Outcome = z.infer<typeof Outcome>;

/** A call, with its start and end in milliseconds since the start of the run. */
export const Call = z.object({
  by: Num,
  deed: Intent,
  began: Num,
  ended: Num,
  outcome: Outcome,
  /** Why it failed, in a word. */
  reason: Name.optional(),
});
export type Call = z.infer<typeof Call>;

/** All calls of a run. */
export interface History {
  calls: Call[];
  /**
   * Makes a call and records its outcome; returns undefined after a failure.
   *
   * @param of - Returns the details of the call from its response.
   */
  keep<T>(
    by: number,
    deed: Intent,
    make: () => Promise<T>,
    of?: (answer: T) => Partial<Intent>,
  ): Promise<T | undefined>;
}

/** Records calls with their start and end. */
export function createHistory(now: () => number): History {
  const calls: Call[] = [];
  return {
    calls,
    async keep<T>(
      by: number,
      deed: Intent,
      make: () => Promise<T>,
      of: (answer: T) => Partial<Intent> = () => ({}),
    ): Promise<T | undefined> {
      const began = now();
      try {
        const answer = await make();
        Object.assign(deed, of(answer));
        calls.push({ by, deed, began, ended: now(), outcome: 'ok' });
        return answer;
      } catch (error) {
        const { outcome, reason } = outcomeOf(error);
        calls.push({ by, deed, began, ended: now(), outcome, reason });
        return undefined;
      }
    },
  };
}

/** Only a 4xx guarantees that nothing was done. */
function outcomeOf(error: unknown): { outcome: Outcome; reason: string } {
  if (error instanceof Error && 'status' in error && typeof error.status === 'number')
    return { outcome: error.status < 500 ? 'refused' : 'unknown', reason: String(error.status) };
  return { outcome: 'unknown', reason: error instanceof Error ? error.name : String(error) };
}
