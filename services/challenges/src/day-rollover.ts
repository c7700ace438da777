import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/process';
import type { Background, ServiceKit } from '@wayquest/platform/service';
import { challengeModel } from './challenge.model.ts';
import type { ChallengeOperations } from './challenges.ts';
import type { TileCounts } from './tile-counts.ts';
import type { TimeZones } from './time-zones.ts';

export const defaultRolloverEveryMs = 60_000;

/** How many tiles are counted before checking whether the service stops. */
const batchSize = 500;

/** A day (YYYY-MM-DD) one year before another. */
const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/**
 * Recounts the tiles in which challenges opened or closed because a day began: soon after midnight, time zone by time
 * zone, and after a start what was missed. Challenges that ended a year ago are archived. Several instances may run it
 * concurrently.
 */
export function createDayRollover({
  kit: { connection, clock, logger },
  challenges,
  tileCounts,
  timeZones,
  everyMs,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  challenges: Pick<ChallengeOperations, 'archiveOne'>;
  tileCounts: TileCounts;
  timeZones: TimeZones;
  /** Milliseconds between two checks for a new day. */
  everyMs: number;
}): Background {
  const Challenges = challengeModel(connection);
  let task: PeriodicTask | undefined;

  const recountRolledOver = async (stopping: AbortSignal) => {
    for (const { timeZone, counted, today } of await timeZones.findRolledOver(new Date(clock.now()))) {
      const tiles = await Challenges.distinct('tile', {
        timeZone,
        $or: [{ startDate: { $gt: counted, $lte: today } }, { endDate: { $gte: counted, $lt: today } }],
      });
      const tileIds = tiles.filter((tile) => tile !== undefined).sort();
      for (let from = 0; from < tileIds.length; from += batchSize) {
        if (stopping.aborted) return;
        await tileCounts.count(tileIds.slice(from, from + batchSize));
      }
      while (await challenges.archiveOne(timeZone, yearBefore(today))) if (stopping.aborted) return;
      await timeZones.setCounted(timeZone, today);
    }
  };

  return {
    async start() {
      task = startPeriodicTask(
        everyMs,
        (stopping) =>
          recountRolledOver(stopping).catch((error) =>
            logger.error({ err: error }, 'day rollover recount failed'),
          ),
        { clock },
      );
    },
    stop: async () => task?.stop(),
    close: async () => {},
    ready: () => true,
  };
}
