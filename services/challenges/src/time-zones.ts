import { lostTheRace, type ServiceKit } from '@wayquest/platform';
import { type Connection, Schema } from 'mongoose';

/** A time zone that there is a challenge in. */
interface TimeZoneDocument {
  /** Its IANA name. */
  _id: string;
  since: Date;
}

const schema = new Schema<TimeZoneDocument>({
  _id: { type: String, required: true },
  since: { type: Date, required: true },
});

const timeZoneModel = (connection: Connection) =>
  connection.model<TimeZoneDocument>('TimeZone', schema, 'time_zones');

/** The time zones that there are challenges in, kept so that nobody has to go through the challenges for them. */
export function createTimeZones({ connection }: Pick<ServiceKit, 'connection'>) {
  const TimeZones = timeZoneModel(connection);
  const kept = new Set<string>();

  return {
    /** Before a challenge gets one. */
    async keep(timeZone: string): Promise<void> {
      if (kept.has(timeZone)) return;
      try {
        await TimeZones.create({ _id: timeZone, since: new Date() });
      } catch (error) {
        if (!lostTheRace(error)) throw error;
      }
      kept.add(timeZone);
    },

    async all(): Promise<string[]> {
      return (await TimeZones.find().lean()).map(({ _id }) => _id);
    },
  };
}

export type TimeZones = ReturnType<typeof createTimeZones>;
