import type { Event } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { caseModel, reportModel } from './case.model.ts';

interface AccountDocument {
  _id: number;
  registeredAt: Date;
}

const schema = new Schema<AccountDocument>({
  _id: { type: Number, required: true },
  registeredAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const accountModel = (connection: Connection) =>
  connection.model<AccountDocument>('Account', schema, 'accounts');

const dayMs = 24 * 3_600 * 1_000;

/** Below this number, dismissed reports do not count against a reporter. */
const minDismissed = 3;

/**
 * A reporter is trusted if the account is some days old and not suspended, unless three or more of their reports were
 * dismissed, and more than were upheld.
 */
export interface ReporterTrust {
  apply(event: Pick<Event<'user.registered.v1'>, 'data'>): Promise<void>;
  isTrusted(userId: number): Promise<boolean>;
  erase(userId: number): Promise<void>;
}

/**
 * Creates the rule whose reports count.
 *
 * @param days - How old an account must be, in days.
 */
export function createReporterTrust(
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  days: number,
): ReporterTrust {
  const Accounts = accountModel(connection);
  const Cases = caseModel(connection);
  const Reports = reportModel(connection);

  return {
    async apply({ data: { id, registeredAt } }: Pick<Event<'user.registered.v1'>, 'data'>): Promise<void> {
      // Older versions did not say when: it is long ago.
      const since = { registeredAt: new Date(registeredAt ?? 0) };
      await upsert(Accounts, { _id: id }, { $setOnInsert: since });
    },

    async isTrusted(userId: number): Promise<boolean> {
      const now = clock.now();
      const account = await Accounts.findById(userId).lean();
      const registeredAt = account?.registeredAt.getTime() ?? now;
      if (registeredAt > now - days * dayMs) return false;
      const own = await Cases.findById(`user-${userId}`, { suspendedUntil: 1 }).lean();
      if (own?.suspendedUntil && own.suspendedUntil.getTime() > now) return false;
      const dismissed = await Reports.countDocuments({ userId, outcome: 'dismissed' });
      if (dismissed < minDismissed) return true;
      return dismissed <= (await Reports.countDocuments({ userId, outcome: 'upheld' }));
    },

    async erase(userId: number): Promise<void> {
      await Accounts.deleteOne({ _id: userId });
    },
  };
}
