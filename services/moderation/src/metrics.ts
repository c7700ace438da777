import { subjectKinds } from '@wayquest/contracts';
import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/async';
import type { Background, ServiceKit } from '@wayquest/platform/service';
import { Counter, Gauge } from 'prom-client';
import { caseModel } from './case.model.ts';

// Cases are open for hours.
const everyMs = 60_000;

/** Updates the metrics of open cases periodically. */
export function createQueueMetrics({
  connection,
  clock,
  logger,
}: Pick<ServiceKit, 'connection' | 'logger' | 'clock'>): Pick<Background, 'start' | 'stop'> {
  const Cases = caseModel(connection);
  let task: PeriodicTask | undefined;

  const measure = async (): Promise<void> => {
    for (const kind of subjectKinds)
      moderationMetrics.open.set({ kind }, await Cases.countDocuments({ open: true, kind }));
    const oldest = await Cases.findOne({ open: true }, { openedAt: 1 }).sort({ openedAt: 1, _id: 1 }).lean();
    moderationMetrics.oldest.set(oldest ? (clock.now() - oldest.openedAt.getTime()) / 1_000 : 0);
    moderationMetrics.overdue.set(
      await Cases.countDocuments({ open: true, respondBy: { $lt: new Date(clock.now()) } }),
    );
  };

  return {
    async start() {
      task = startPeriodicTask(
        everyMs,
        () => measure().catch((error) => logger.warn({ err: error }, 'could not count open cases')),
        { clock },
      );
    },
    stop: async () => task?.stop(),
  };
}

export const moderationMetrics = {
  open: new Gauge({
    name: 'wayquest_moderation_open_cases',
    help: 'Cases that wait for a decision, by what they are about',
    labelNames: ['kind'],
  }),
  oldest: new Gauge({
    name: 'wayquest_moderation_oldest_case_seconds',
    help: 'How long the oldest of them has waited',
  }),
  overdue: new Gauge({
    name: 'wayquest_moderation_overdue_cases',
    help: 'Those by which the owner of a place should have been answered by now',
  }),
  answered: new Counter({
    name: 'wayquest_moderation_place_responses_total',
    help: 'Owners of places that were answered, by whether it was in time: yes, no',
    labelNames: ['in_time'],
  }),
};
