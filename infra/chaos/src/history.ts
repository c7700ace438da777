import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { FinalState } from './check.ts';

const Name = z.string();
const Num = z.number();
const of = <W extends string, S extends z.core.$ZodLooseShape>(kind: W, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape });

/** The intended effect of a call, or what it read. */
export const Action = z.discriminatedUnion('kind', [
  of('sign up', { username: Name }),
  of('log in', { username: Name }),
  of('create a challenge', { name: Name, challengeId: Num.optional() }),
  of('delete a challenge', { challengeId: Num }),
  of('join', { challengeId: Num }),
  of('leave', { challengeId: Num }),
  of('complete', { challengeId: Num }),
  of('request friendship', { friendId: Num }),
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
  of('read the leaderboard', {}),
  of('read notifications', {}),
  of('search', {}),
]);
export type Action = z.infer<typeof Action>;

/** Acknowledged; rejected, without an effect; or unknown. */
const Outcome = z.enum(['ok', 'rejected', 'unknown']);
export type Outcome = z.infer<typeof Outcome>;

/** A call, with its start and end in milliseconds since the start of the run. */
export const Call = z.object({
  by: Num,
  action: Action,
  began: Num,
  ended: Num,
  outcome: Outcome,
  /** Why it failed, in a word. */
  reason: Name.optional(),
});
export type Call = z.infer<typeof Call>;

/** When a fault was there, in milliseconds since the start of the run. */
export const FaultRecord = z.object({
  fault: z.string(),
  began: z.number(),
  /** When it was over. */
  ended: z.number(),
  /** When the pause after it was over. */
  until: z.number(),
});
export type FaultRecord = z.infer<typeof FaultRecord>;

/** All calls of a run. */
export interface History {
  calls: Call[];
  /**
   * Makes a call and records its outcome; returns undefined after a failure.
   *
   * @param of - Returns the details of the call from its response.
   */
  record<T>(
    by: number,
    action: Action,
    make: () => Promise<T>,
    of?: (response: T) => Partial<Action>,
  ): Promise<T | undefined>;
}

/** Records calls with their start and end. */
export function createHistory(now: () => number): History {
  const calls: Call[] = [];
  return {
    calls,
    async record<T>(
      by: number,
      action: Action,
      make: () => Promise<T>,
      of: (response: T) => Partial<Action> = () => ({}),
    ): Promise<T | undefined> {
      const began = now();
      try {
        const response = await make();
        Object.assign(action, of(response));
        calls.push({ by, action, began, ended: now(), outcome: 'ok' });
        return response;
      } catch (error) {
        const { outcome, reason } = outcomeOf(error);
        calls.push({ by, action, began, ended: now(), outcome, reason });
        return undefined;
      }
    },
  };
}

/** Only a 4xx guarantees that nothing was done. */
function outcomeOf(error: unknown): { outcome: Outcome; reason: string } {
  if (error instanceof Error && 'status' in error && typeof error.status === 'number')
    return { outcome: error.status < 500 ? 'rejected' : 'unknown', reason: String(error.status) };
  return { outcome: 'unknown', reason: error instanceof Error ? error.name : String(error) };
}

/** What a run has recorded. */
export interface RunRecord {
  calls: Call[];
  faults: FaultRecord[];
  finalState: FinalState;
}

const Ending = z.object({ faults: z.array(FaultRecord), finalState: FinalState });

/** Writes one call per line, and the faults with the final state last. */
export async function writeRecord(file: string, { calls, ...ending }: RunRecord): Promise<void> {
  await writeFile(file, [...calls, ending].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export async function readRecord(file: string): Promise<RunRecord> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const parsed: unknown[] = lines.map((line) => JSON.parse(line));
  return {
    calls: parsed.slice(0, -1).map((line) => Call.parse(line)),
    ...Ending.parse(parsed.at(-1)),
  };
}
