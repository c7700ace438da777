import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import type { z } from 'zod';
import { answerModel } from './answer.model.ts';

const ttlMs = 7 * 24 * 60 * 60 * 1_000;

/** Caches responses for all instances, for some days; concurrent requests for the same key are made once. */
export interface AnswerCache {
  /** Returns the cached response if it still matches the schema, or else the result of `ask`. */
  through<S extends z.ZodType>(key: string, shape: S, ask: () => Promise<z.output<S>>): Promise<z.output<S>>;
}

export function createAnswerCache({
  connection,
  clock,
}: Pick<ServiceKit, 'connection' | 'clock'>): AnswerCache {
  const Answers = answerModel(connection);
  const underWay = new Map<string, Promise<unknown>>();

  const kept = async (key: string): Promise<unknown> =>
    (await Answers.findOne({ _id: key, expiresAt: { $gt: new Date(clock.now()) } }).lean())?.answer;

  const askAndKeep = async (key: string, ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = await ask();
    const expiresAt = new Date(clock.now() + ttlMs);
    await upsert(Answers, { _id: key }, { $set: { answer, expiresAt } });
    return answer;
  };

  return {
    async through(key, shape, ask) {
      const before = shape.safeParse(await kept(key));
      if (before.success) return before.data;
      const pending = underWay.get(key) ?? askAndKeep(key, ask).finally(() => underWay.delete(key));
      underWay.set(key, pending);
      return shape.parse(await pending);
    },
  };
}
