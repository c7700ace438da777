import { type ChallengeDetails, localDate } from '@wayquest/contracts';
import { type PeriodicTask, startPeriodicTask } from '@wayquest/platform/async';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** The reminder that a challenge is about to end. */
interface ExpiryReminderDocument {
  /** The challenge's id. */
  _id: number;
  endsAt: Date;
  sent: boolean;
}

const schema = new Schema<ExpiryReminderDocument>({
  _id: { type: Number, required: true },
  endsAt: { type: Date, required: true },
  sent: { type: Boolean, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ sent: 1, endsAt: 1 });

const expiryReminderModel = (connection: Connection) =>
  connection.model<ExpiryReminderDocument>('ExpiryReminder', schema, 'expiry_reminders');

const hourMs = 3_600 * 1_000;
const minuteMs = 60_000;

/**
 * When participants are reminded, before the midnight at which a challenge ends: at nine in the morning of its place, or as soon
 * as it is known until nine in the evening, so that a push message which has to be tried again wakes nobody either.
 */
const leadTimeMs = 15 * hourMs;
const quietTimeMs = 3 * hourMs;

const batchSize = 100;

/** When a day ends in a time zone, to the minute: by bisection, because of daylight saving time. */
function endOfDay(day: string, timeZone: string): Date {
  const noonUtc = Date.parse(`${day}T12:00:00Z`);
  let [low, high] = [noonUtc - 15 * hourMs, noonUtc + 36 * hourMs];
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    if (localDate(timeZone, new Date(middle)) > day) high = middle;
    else low = middle;
  }
  return new Date(high);
}

/** Reminds the participants of a challenge that it ends at a time. */
type Remind = (challengeId: number, endsAt: Date) => Promise<void>;

/** Stores when challenges end, and calls `remind` for each one on its last day, between 9:00 and 21:00 of its place. */
export interface ExpiryReminders {
  cancel(challengeId: number): Promise<void>;
  /** A changed end date, or a challenge that is shown again, is reported again. */
  schedule(challenge: ChallengeDetails): Promise<void>;
  start(remind: Remind, everyMs: number): void;
  stop(): Promise<void>;
}

/** Creates the reminders of challenges that are about to end, and the periodic task that sends them. */
export function createExpiryReminders({
  connection,
  clock,
  logger,
}: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>): ExpiryReminders {
  const Reminders = expiryReminderModel(connection);
  let task: PeriodicTask | undefined;

  const cancel = async (challengeId: number): Promise<void> => {
    await Reminders.deleteOne({ _id: challengeId });
  };

  const remindDue = async (remind: Remind, stopping: AbortSignal) => {
    const now = clock.now();
    const soon = {
      sent: false,
      endsAt: { $gte: new Date(now + quietTimeMs), $lte: new Date(now + leadTimeMs) },
    };
    for (;;) {
      const found = await Reminders.find(soon).sort({ endsAt: 1 }).limit(batchSize).lean();
      for (const { _id, endsAt } of found) {
        if (stopping.aborted) return;
        await remind(_id, endsAt);
        await Reminders.updateOne({ _id, endsAt }, { $set: { sent: true } });
      }
      if (found.length < batchSize) return;
    }
  };

  return {
    cancel,

    async schedule({ id: _id, endDate, timeZone, status }: ChallengeDetails): Promise<void> {
      if (!endDate || status === 'hidden') return cancel(_id);
      const endsAt = endOfDay(endDate, timeZone);
      await upsert(Reminders, { _id }, { $setOnInsert: { endsAt, sent: false } });
      await Reminders.updateOne({ _id, endsAt: { $ne: endsAt } }, { $set: { endsAt, sent: false } });
    },

    start(remind: Remind, everyMs: number): void {
      task = startPeriodicTask(
        everyMs,
        (stopping) =>
          remindDue(remind, stopping).catch((error) =>
            logger.warn({ err: error }, 'expiry reminder run failed'),
          ),
        { clock },
      );
    },

    stop: async (): Promise<void> => task?.stop(),
  };
}
