import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import type { z } from 'zod';
import { answerModel } from './answer.model.ts';

const keptMs = 7 * 24 * 60 * 60 * 1_000;

/** Keeps answers for all instances, for some days; asks once where several want the same at once. */
export interface AnswerCache {
  /** What was kept, if it still has the shape, or else what `ask` answers. */
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
    const expiresAt = new Date(clock.now() + keptMs);
    await upsert(Answers, { _id: key }, { $set: { answer, expiresAt } });
    return answer;
  };

  return {
    async through(key, shape, ask) {
      const before = shape.safeParse(await kept(key));
      if (before.success) return before.data;
      const asked = underWay.get(key) ?? askAndKeep(key, ask).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return shape.parse(await asked);
    },
  };
}
