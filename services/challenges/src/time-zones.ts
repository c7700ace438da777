import { canonicalTimeZone, localDate, type Position } from '@wayquest/contracts';
import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/async';
import type { Background, ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict } from '@wayquest/platform/store';
import { find } from 'geo-tz/all';
import { type Connection, Schema } from 'mongoose';
import { challengeModel } from './challenge.model.ts';
import type { ChallengeOperations } from './challenges.ts';
import { unknownTimeZone } from './filters.ts';
import type { TileCounts } from './tile-counts.ts';

/**
 * Returns the IANA time zone at a position, at sea that of its longitude: by the borders themselves, since a town beside one
 * would otherwise have its neighbor's days.
 */
export function timeZoneAt({ lat, lng }: Position): string {
  // A zone may be newer than this version of Node.
  const [timeZone = unknownTimeZone] = find(lat, lng).filter((zone) => canonicalTimeZone(zone) !== undefined);
  return timeZone;
}

const halfYearMs = 182 * 24 * 3_600 * 1_000;

/** The offset from UTC, such as `GMT+05:30`. */
const offsetOf = (timeZone: string, moment: Date): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/**
 * Whether days begin at the same time in two zones, now and half a year from now: browsers and data have different names for
 * one zone, such as `Asia/Calcutta` and `Asia/Kolkata`.
 */
export function haveSameDays(one: string, other: string, now: Date): boolean {
  if (one === other) return true;
  if (!canonicalTimeZone(one) || !canonicalTimeZone(other)) return false;
  return [now, new Date(now.getTime() + halfYearMs)].every(
    (moment) => offsetOf(one, moment) === offsetOf(other, moment),
  );
}

/** A time zone with at least one challenge. */
interface TimeZoneDocument {
  /** Its IANA name. */
  _id: string;
  /** The date up to which opened and closed challenges were counted. */
  day: string;
}

const schema = new Schema<TimeZoneDocument>({
  _id: { type: String, required: true },
  day: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const timeZoneModel = (connection: Connection) =>
  connection.model<TimeZoneDocument>('TimeZone', schema, 'time_zones');

/** The time zones of all challenges, stored so that challenges need not be scanned for them. */
export interface TimeZones {
  /** Called before a challenge gets this time zone. */
  add(timeZone: string): Promise<void>;
  all(): Promise<string[]>;
  /** Those in which another day has begun since the one that was counted. */
  findRolledOver(moment: Date): Promise<{ timeZone: string; counted: string; today: string }[]>;
  setCounted(timeZone: string, day: string): Promise<void>;
}

/** Creates the store of the time zones in which challenges exist, whose days begin and end at different times. */
export function createTimeZones({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>): TimeZones {
  const TimeZones = timeZoneModel(connection);
  const knownTimeZones = new Set<string>();

  return {
    async add(timeZone: string): Promise<void> {
      if (knownTimeZones.has(timeZone)) return;
      try {
        await TimeZones.create({ _id: timeZone, day: localDate(timeZone, new Date(clock.now())) });
      } catch (error) {
        if (!isWriteConflict(error)) throw error;
      }
      knownTimeZones.add(timeZone);
    },

    async all(): Promise<string[]> {
      return (await TimeZones.find().lean()).map(({ _id }) => _id);
    },

    async findRolledOver(moment: Date): Promise<{ timeZone: string; counted: string; today: string }[]> {
      const all = await TimeZones.find().lean();
      return all
        .map(({ _id, day }) => ({ timeZone: _id, counted: day, today: localDate(_id, moment) }))
        .filter(({ counted, today }) => counted < today);
    },

    async setCounted(timeZone: string, day: string): Promise<void> {
      await TimeZones.updateOne({ _id: timeZone, day: { $lt: day } }, { $set: { day } });
    },
  };
}

export const defaultRolloverEveryMs = 60_000;

/** How many tiles are counted before checking whether the service stops. */
const batchSize = 500;

/** A day (YYYY-MM-DD) one year before another. */
const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/**
 * Recounts the tiles in which challenges opened or closed because a day began: soon after midnight in each
 * time zone, and at a start for missed days. Challenges that ended a year ago are archived. Several instances may run it
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
