import { createHash } from 'node:crypto';
import {
  type AuditEntry,
  decisionKinds,
  type Event,
  type OperationRequest,
  type Operations,
  pointsDecisions,
} from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { connectMongo, isDuplicateKey, retryOnConflict } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { type Connection, Schema } from 'mongoose';

/** A line. It contains ids only, so that it can stay when a user is deleted. */
interface AuditLineDocument {
  /** The case and its version, or the id of a note. */
  _id: string;
  /** For an award: `points-<user>-<challenge>`. */
  caseId: string;
  affectedUserId: number;
  action: AuditEntry['action'];
  by?: number | null;
  at: Date;
  until?: Date | null;
  note: string;
  /** For the owner of the content. Missing without one; that of points is the note. */
  reason?: string | null;
  /** Its position in the chain; missing in lines of older versions. */
  place?: number | null;
  /** The previous line's hash; missing in the first. */
  before?: string | null;
  /** The hash of all of this. */
  hash?: string | null;
}

export type StoredAuditLine = AuditLineDocument;

/** A line to be written. */
type NewAuditLine = Omit<AuditLineDocument, 'place' | 'before' | 'hash'>;

const schema = new Schema<AuditLineDocument>({
  _id: { type: String, required: true },
  caseId: { type: String, required: true },
  affectedUserId: { type: Number, required: true },
  action: { type: String, required: true },
  by: Number,
  at: { type: Date, required: true },
  until: Date,
  note: String,
  reason: String,
  place: Number,
  before: String,
  hash: String,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ caseId: 1, at: 1 });
schema.index({ affectedUserId: 1, at: -1, _id: -1 });
schema.index({ by: 1, at: -1, _id: -1 });
schema.index({ at: -1, _id: -1 });
schema.index({ place: 1 }, { unique: true, sparse: true });

/** The name of each decision about points that version 0.1.0 wrote. Its lines stay: their hashes cover the former name. */
const formerActions = new Map<string, AuditEntry['action']>([
  ['release', 'approve'],
  ['withdraw', 'revoke'],
]);

/** Returns a line with the name that its action has in this version. */
export const withCurrentAction = (line: StoredAuditLine): StoredAuditLine => ({
  ...line,
  action: formerActions.get(line.action) ?? line.action,
});

/**
 * A line's content and the previous line's hash: changing one requires changing all after it. Only values are hashed, in this
 * order, so a migration may rename a field.
 */
const lineHash = ({
  _id,
  caseId,
  affectedUserId,
  action,
  by,
  at,
  until,
  note,
  reason,
  place,
  before,
}: Omit<AuditLineDocument, 'action'> & { action: string }): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[place, before ?? '', _id, caseId, affectedUserId, action, by ?? null],
        ...[at.toISOString(), until?.toISOString() ?? null, note ?? ''],
        // Older lines have none, and other hashes with an empty one.
        ...(reason ? [reason] : []),
      ]),
    )
    .digest('hex');

/** For the archive; everything else uses the log. */
export const auditModel = (connection: Connection) =>
  connection.model<AuditLineDocument>('AuditLine', schema, 'audit');

type AuditQuery = OperationRequest<Operations['listAudit']>['query'];

export const cursorAfter = ({ at, id }: { at: string; id: string }): string => `${at}~${id}`;

/** Page size without a `limit`. */
export const defaultLimit = 50;

const olderThan = (cursor: string | undefined) => {
  const [moment = '', id = ''] = cursor?.split('~') ?? [];
  const from = new Date(moment);
  if (Number.isNaN(from.getTime())) return { at: { $gt: new Date(0) } };
  return { $or: [{ at: { $lt: from } }, { at: from, _id: { $lt: id } }] };
};

/** The audit log of decisions. It is append-only: no function changes a line. */
export interface AuditLog {
  /** A duplicate is ignored. Of two concurrent lines one takes the next position, and the other the one after. */
  write(line: NewAuditLine): Promise<true>;
  of(caseId: string): Promise<AuditLineDocument[]>;
  all(auditQuery: AuditQuery): Promise<AuditLineDocument[]>;
  /** Decisions about a user's content, without notes, which are for admins. */
  decisionsFor(affectedUserId: number, page: Omit<AuditQuery, 'by'>): Promise<AuditLineDocument[]>;
}

/** Creates the log on the service's database. The hash of each new line is logged too. */
export function createAuditLog({ connection, logger }: Pick<ServiceKit, 'connection' | 'logger'>): AuditLog {
  const AuditLines = auditModel(connection);

  const find = async (
    filter: object,
    { cursor, limit = defaultLimit }: Omit<AuditQuery, 'by'>,
  ): Promise<StoredAuditLine[]> => {
    const lines = await AuditLines.find({ ...filter, ...olderThan(cursor) })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean();
    return lines.map(withCurrentAction);
  };

  return {
    write: (line: NewAuditLine): Promise<true> =>
      retryOnConflict(async () => {
        if (await AuditLines.exists({ _id: line._id })) return true;
        const last = await AuditLines.findOne({ place: { $gt: 0 } }, { place: 1, hash: 1 })
          .sort({ place: -1 })
          .lean();
        const chainedLine = { ...line, place: (last?.place ?? 0) + 1, before: last?.hash ?? null };
        const hash = lineHash(chainedLine);
        try {
          await AuditLines.create({ ...chainedLine, hash });
        } catch (error) {
          if (isDuplicateKey(error)) return undefined;
          throw error;
        }
        // Also logged outside the store, so that removing the newest lines can be detected.
        logger.info({ place: chainedLine.place, hash }, 'audit log entry');
        return true;
      }),

    of: async (caseId: string): Promise<StoredAuditLine[]> => {
      const lines = await AuditLines.find({ caseId }).sort({ at: 1 }).lean();
      return lines.map(withCurrentAction);
    },

    all: ({ by, ...page }: AuditQuery): Promise<StoredAuditLine[]> => find(by ? { by } : {}, page),

    decisionsFor: (affectedUserId: number, page: Omit<AuditQuery, 'by'>): Promise<StoredAuditLine[]> =>
      find(
        {
          affectedUserId,
          action: { $in: [...decisionKinds, ...pointsDecisions, ...formerActions.keys(), 'appeal'] },
        },
        page,
      ),
  };
}

const idOf = (userId: number, challengeId: number): string => `points-${userId}-${challengeId}`;

/** The challenge of a log line about points; undefined for other lines. */
export const pointsOf = ({ caseId }: Pick<StoredAuditLine, 'caseId'>): number | undefined => {
  const [kind, , challengeId] = caseId.split('-');
  return kind === 'points' ? Number(challengeId) : undefined;
};

/** Records the decision of an admin about flagged points (users) in the audit log; flagging itself is no decision. */
export const recordPointsDecision =
  (audit: Pick<AuditLog, 'write'>) =>
  async ({ data, occurredAt }: Pick<Event<'points.decided.v1'>, 'data' | 'occurredAt'>): Promise<void> => {
    const { userId, challengeId, decision, by, reason } = data;
    if (decision === 'flag') return;
    const caseId = idOf(userId, challengeId);
    await audit.write({
      ...{ _id: `${caseId}:1`, caseId, affectedUserId: userId },
      ...{ action: decision, by, at: new Date(occurredAt), note: reason },
    });
  };

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

/**
 * Reads the whole log, with or without a running service, and verifies its chain. Throws if the store is that of an earlier
 * version, which the service migrates when it starts.
 */
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
      // The earlier name of `affectedUserId`: without this check, each line would seem to have been changed.
      if ('concernedId' in line)
        throw new Error(
          'The store is that of an earlier version: start moderation once, which migrates it, then try again.',
        );
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
