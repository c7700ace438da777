import { localDate } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** A time zone that there is a challenge in. */
interface TimeZoneDocument {
  /** Its IANA name. */
  _id: string;
  /** The day there up to which it has been counted what opened and closed. */
  day: string;
}

const schema = new Schema<TimeZoneDocument>({
  _id: { type: String, required: true },
  day: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const timeZoneModel = (connection: Connection) =>
  connection.model<TimeZoneDocument>('TimeZone', schema, 'time_zones');

/** The time zones that there are challenges in, kept so that nobody has to go through the challenges for them. */
export function createTimeZones({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>) {
  const TimeZones = timeZoneModel(connection);
  const kept = new Set<string>();

  return {
    /** Before a challenge gets one. */
    async keep(timeZone: string): Promise<void> {
      if (kept.has(timeZone)) return;
      try {
        await TimeZones.create({ _id: timeZone, day: localDate(timeZone, new Date(clock.now())) });
      } catch (error) {
        if (!isWriteConflict(error)) throw error;
      }
      kept.add(timeZone);
    },

    async all(): Promise<string[]> {
      return (await TimeZones.find().lean()).map(({ _id }) => _id);
    },

    /** Those where another day has begun since the one that was counted. */
    async turned(moment: Date): Promise<{ timeZone: string; counted: string; today: string }[]> {
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

export type TimeZones = ReturnType<typeof createTimeZones>;
