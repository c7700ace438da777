import { localDate } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

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
