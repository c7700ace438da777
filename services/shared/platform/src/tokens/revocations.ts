import type { EventData, TokenClaims } from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import { addOutbox, type WithOutbox } from '../outbox/outbox-document.ts';
import { upsert } from '../store/mongo.ts';

interface RevocationDocument extends WithOutbox {
  /** `token:<id>` for one token, `user:<id>` for all earlier tokens of a user. */
  _id: string;
  /** Absent in older documents. */
  userId?: number | null;
  issuedBefore?: Date | null;
  generation?: number | null;
  expiresAt: Date;
  /** End of a suspension, as of the newest revocation. */
  suspendedUntil?: Date | null;
}

const revocationSchema = new Schema<RevocationDocument>({
  _id: { type: String, required: true },
  userId: Number,
  issuedBefore: Date,
  generation: Number,
  expiresAt: { type: Date, required: true },
  suspendedUntil: Date,
});
addOutbox(revocationSchema);
revocationSchema.set('shardKey', { _id: 'hashed' });
revocationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
revocationSchema.index({ userId: 1 });

export type RevocationData = EventData<'token.revoked.v1'>;

/** Revoked tokens that have not expired yet, as far as this service knows. */
export interface Revocations {
  model: Model<RevocationDocument>;
  covers(claims: TokenClaims): Promise<boolean>;
  /** The revoked ones of many tokens; a query per thousand. */
  filterRevoked<T extends TokenClaims>(all: readonly T[]): Promise<Set<T>>;
  /** End of a user's suspension, if there is one. */
  suspendedUntil(userId: number): Promise<Date | null | undefined>;
  /** Stores a revocation; an existing one is only ever widened. */
  add(data: RevocationData): Promise<void>;
  /** A user's revocations that have not expired. */
  listFor(userId: number): Promise<RevocationData[]>;
}

export const revocationId = ({ tokenId, userId }: Pick<RevocationData, 'tokenId' | 'userId'>): string =>
  tokenId === null ? `user:${userId}` : `token:${tokenId}`;

/**
 * Whether a revocation of all earlier tokens of a user covers a token. Dates decide only for revocations from before
 * generations existed: the clock that dated a token may have been ahead.
 */
export const isOlder = (
  { generation = 0, issuedAt }: { generation?: number | undefined; issuedAt: Date },
  revoked: { generation?: number | null | undefined; issuedBefore?: Date | null | undefined },
): boolean =>
  revoked.generation ? generation < revoked.generation : issuedAt < (revoked.issuedBefore ?? new Date(0));

/** Tokens per query: each has two keys, and a query has at most 2,000. */
const batch = 1_000;

/** The revocations in a service's own store. */
export function createRevocations(connection: Connection): Revocations {
  const model = connection.model<RevocationDocument>('Revocation', revocationSchema, 'revocations');
  const filterRevoked = async <T extends TokenClaims>(all: readonly T[]): Promise<Set<T>> => {
    const covered = new Set<T>();
    for (let begin = 0; begin < all.length; begin += batch) {
      const page = all.slice(begin, begin + batch);
      const ids = new Set(page.flatMap(({ jti, sub }) => [`token:${jti}`, `user:${sub}`]));
      const found = await model.find({ _id: { $in: [...ids] } }, { issuedBefore: 1, generation: 1 }).lean();
      const revocations = new Map(found.map((one) => [one._id, one]));
      for (const claims of page) {
        const { jti, sub, iat, generation } = claims;
        const revocationOfAll = revocations.get(`user:${sub}`);
        const issuedAt = new Date(iat * 1_000);
        if (
          revocations.has(`token:${jti}`) ||
          (revocationOfAll && isOlder({ generation, issuedAt }, revocationOfAll))
        )
          covered.add(claims);
      }
    }
    return covered;
  };
  return {
    model,
    filterRevoked,
    covers: async (claims) => (await filterRevoked([claims])).size > 0,
    async suspendedUntil(userId) {
      const _id = revocationId({ userId, tokenId: null });
      return (await model.findById(_id, { suspendedUntil: 1 }).lean())?.suspendedUntil;
    },
    async add(data) {
      await upsert(
        model,
        { _id: revocationId(data) },
        {
          $set: { userId: data.userId },
          $max: {
            expiresAt: new Date(data.expiresAt),
            ...(data.issuedBefore && { issuedBefore: new Date(data.issuedBefore) }),
            ...(data.generation && { generation: data.generation }),
          },
        },
      );
      if (!data.issuedBefore || data.suspendedUntil === undefined) return;
      const { suspendedUntil } = data;
      // The newest revocation decides.
      await model.updateOne(
        { _id: revocationId(data), issuedBefore: new Date(data.issuedBefore) },
        { $set: { suspendedUntil: suspendedUntil && new Date(suspendedUntil) } },
      );
    },
    async listFor(userId) {
      const notExpired = { expiresAt: { $gt: new Date() } };
      // In each branch of `$or`; otherwise a store may choose the index of `expiresAt`, which matches nearly all
      // documents.
      const filters = [{ userId }, { _id: revocationId({ userId, tokenId: null }) }];
      const found = await model
        .find({ $or: filters.map((one) => ({ ...one, ...notExpired })) }, { outbox: 0 })
        .lean();
      return found.map(({ _id, issuedBefore, generation, expiresAt, suspendedUntil }) => ({
        userId,
        tokenId: _id.startsWith('token:') ? _id.slice('token:'.length) : null,
        issuedBefore: issuedBefore?.toISOString() ?? null,
        ...(generation && { generation }),
        expiresAt: expiresAt.toISOString(),
        ...(suspendedUntil && { suspendedUntil: suspendedUntil.toISOString() }),
      }));
    },
  };
}
