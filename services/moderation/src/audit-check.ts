import { connectMongo } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { auditModel, lineHash } from './audit.ts';

/** The result of verifying the log. */
interface AuditCheckResult {
  /** Verified lines. */
  verified: number;
  /** Lines of older versions before the chain, which cannot be verified. */
  older: number;
  /** The newest line's hash, to be compared with the one in the service's log. */
  last: string | null;
  /** A sentence for each changed, removed or inserted line. */
  violations: string[];
}

interface AuditStore {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
}

/** Reads the whole log, with or without a running service, and verifies its chain. */
export async function checkAudit({
  mongoUrl,
  databasePrefix,
  logger,
}: AuditStore): Promise<AuditCheckResult> {
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_moderation`, logger });
  try {
    const AuditLines = auditModel(connection);
    const checked: AuditCheckResult = { verified: 0, older: 0, last: null, violations: [] };
    let chainStart: Date | undefined;
    let place = 0;
    for await (const line of AuditLines.find({ place: { $gt: 0 } })
      .sort({ place: 1 })
      .lean()
      .cursor()) {
      chainStart ??= line.at;
      const { _id, before = null, hash = null } = line;
      if (line.place !== place + 1) checked.violations.push(`Before ${_id} something was taken out.`);
      else if (before !== checked.last) checked.violations.push(`${_id} does not follow the line before it.`);
      if (hash !== lineHash(line)) checked.violations.push(`${_id} was changed.`);
      place = line.place ?? place;
      checked.last = hash;
      checked.verified += 1;
    }
    for await (const { _id, at } of AuditLines.find({ place: null }).sort({ at: 1 }).lean().cursor()) {
      if (chainStart && at > chainStart) checked.violations.push(`${_id} stands beside the chain.`);
      else checked.older += 1;
    }
    return checked;
  } finally {
    await connection.close();
  }
}
