import { connectMongo } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { auditModel, hashOf } from './audit.ts';

/** The result of verifying the log. */
interface CheckedAudit {
  /** Verified lines. */
  chained: number;
  /** Lines of older versions before the chain, which cannot be verified. */
  older: number;
  /** The newest line's hash, to be compared with the one in the service's log. */
  last: string | null;
  /** A sentence for each changed, removed or inserted line. */
  broken: string[];
}

interface AuditStore {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
}

/** Reads the whole log, with or without a running service, and verifies its chain. */
export async function checkAudit({ mongoUrl, databasePrefix, logger }: AuditStore): Promise<CheckedAudit> {
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_moderation`, logger });
  try {
    const AuditLines = auditModel(connection);
    const checked: CheckedAudit = { chained: 0, older: 0, last: null, broken: [] };
    let began: Date | undefined;
    let place = 0;
    for await (const line of AuditLines.find({ place: { $gt: 0 } })
      .sort({ place: 1 })
      .lean()
      .cursor()) {
      began ??= line.at;
      const { _id, before = null, hash = null } = line;
      if (line.place !== place + 1) checked.broken.push(`Before ${_id} something was taken out.`);
      else if (before !== checked.last) checked.broken.push(`${_id} does not follow the line before it.`);
      if (hash !== hashOf(line)) checked.broken.push(`${_id} was changed.`);
      place = line.place ?? place;
      checked.last = hash;
      checked.chained += 1;
    }
    for await (const { _id, at } of AuditLines.find({ place: null }).sort({ at: 1 }).lean().cursor()) {
      if (began && at > began) checked.broken.push(`${_id} stands beside the chain.`);
      else checked.older += 1;
    }
    return checked;
  } finally {
    await connection.close();
  }
}
