import { createHash } from 'node:crypto';
import {
  type AuditLine,
  decisionKinds,
  type OperationRequest,
  type Operations,
  pointsDecisions,
} from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, retryOnConflict } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

/** A line: ids alone say whom it is about, so that it can stay when they are deleted. */
interface LineDocument {
  /** The case and its version, or the id of a note. */
  _id: string;
  /** Of what somebody earned with a challenge: `points-<user>-<challenge>`. */
  caseId: string;
  concernedId: number;
  action: AuditLine['action'];
  by?: number | null;
  at: Date;
  until?: Date | null;
  note: string;
  /** The how manyth line it is; older versions did not chain them. */
  place?: number | null;
  /** That of the line before; none of the first. */
  before?: string | null;
  /** Of all of this. */
  hash?: string | null;
}

/** What is to be written down. */
type NewLine = Omit<LineDocument, 'place' | 'before' | 'hash'>;

export type StoredLine = LineDocument;

const schema = new Schema<LineDocument>({
  _id: { type: String, required: true },
  caseId: { type: String, required: true },
  concernedId: { type: Number, required: true },
  action: { type: String, required: true },
  by: Number,
  at: { type: Date, required: true },
  until: Date,
  note: String,
  place: Number,
  before: String,
  hash: String,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ caseId: 1, at: 1 });
schema.index({ concernedId: 1, at: -1, _id: -1 });
schema.index({ by: 1, at: -1, _id: -1 });
schema.index({ at: -1, _id: -1 });
schema.index({ place: 1 }, { unique: true, sparse: true });

/** All that a line says and the hash of the one before: whoever changes one has to change all after it. */
export const hashOf = ({
  _id,
  caseId,
  concernedId,
  action,
  by,
  at,
  until,
  note,
  place,
  before,
}: LineDocument): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[place, before ?? '', _id, caseId, concernedId, action, by ?? null],
        ...[at.toISOString(), until?.toISOString() ?? null, note ?? ''],
      ]),
    )
    .digest('hex');

/** For what the archive reads; all else goes through the log. */
export const auditModel = (connection: Connection) =>
  connection.model<LineDocument>('AuditLine', schema, 'audit');

type AuditQuery = OperationRequest<Operations['listAudit']>['query'];

export const cursorAfter = ({ at, id }: { at: string; id: string }): string => `${at}~${id}`;

/** How many are answered when nobody says. */
export const defaultLimit = 50;

const olderThan = (cursor: string | undefined) => {
  const [moment = '', id = ''] = cursor?.split('~') ?? [];
  const from = new Date(moment);
  if (Number.isNaN(from.getTime())) return { at: { $gt: new Date(0) } };
  return { $or: [{ at: { $lt: from } }, { at: from, _id: { $lt: id } }] };
};

/** What was decided, by whom: lines are written once and found again, and there is nothing here that changes one. */
export function createAuditLog({ connection, logger }: Pick<ServiceKit, 'connection' | 'logger'>) {
  const Lines = auditModel(connection);

  const find = (filter: object, { cursor, limit = defaultLimit }: Omit<AuditQuery, 'by'>) =>
    Lines.find({ ...filter, ...olderThan(cursor) })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean();

  return {
    /** The same line again is the one that is there. Of two at once one takes the next place, and the other the one after. */
    write: (line: NewLine): Promise<true> =>
      retryOnConflict(async () => {
        if (await Lines.exists({ _id: line._id })) return true;
        const last = await Lines.findOne({ place: { $gt: 0 } }, { place: 1, hash: 1 })
          .sort({ place: -1 })
          .lean();
        const chained = { ...line, place: (last?.place ?? 0) + 1, before: last?.hash ?? null };
        const hash = hashOf(chained);
        try {
          await Lines.create({ ...chained, hash });
        } catch (error) {
          if (isDuplicateKey(error)) return undefined;
          throw error;
        }
        // Also where the store's administrators write nothing: by it is seen that the newest lines are gone.
        logger.info({ place: chained.place, hash }, 'audit log entry');
        return true;
      }),

    of: (caseId: string): Promise<LineDocument[]> => Lines.find({ caseId }).sort({ at: 1 }).lean(),

    all: ({ by, ...page }: AuditQuery): Promise<LineDocument[]> => find(by ? { by } : {}, page),

    /** What was decided about what is somebody's: no notes, which are for admins. */
    about: (concernedId: number, page: Omit<AuditQuery, 'by'>): Promise<LineDocument[]> =>
      find({ concernedId, action: { $in: [...decisionKinds, ...pointsDecisions, 'appeal'] } }, page),
  };
}

export type AuditLog = ReturnType<typeof createAuditLog>;
