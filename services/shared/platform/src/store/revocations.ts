import type { EventData, TokenClaims } from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import { addOutbox, type WithOutbox } from '../bus/outbox-document.ts';
import { upsert } from './mongo.ts';

interface RevocationDocument extends WithOutbox {
  /** `token:<id>` for one token, `user:<id>` for all that a person was given before a moment. */
  _id: string;
  /** Not said by those that were kept before it was. */
  userId?: number | null;
  issuedBefore?: Date | null;
  expiresAt: Date;
}

const revocationSchema = new Schema<RevocationDocument>({
  _id: { type: String, required: true },
  userId: Number,
  issuedBefore: Date,
  expiresAt: { type: Date, required: true },
});
addOutbox(revocationSchema);
revocationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
revocationSchema.index({ userId: 1 });

export type RevocationData = EventData<'token.revoked.v1'>;

/** The tokens that count no more although they have not run out, as this service has heard of them. */
export interface Revocations {
  model: Model<RevocationDocument>;
  covers(claims: TokenClaims): Promise<boolean>;
  /** Keeps a revocation; one that is kept already is only ever widened. */
  add(data: RevocationData): Promise<void>;
  /** Those of a person that still matter. */
  of(userId: number): Promise<RevocationData[]>;
}

export const revocationId = ({ tokenId, userId }: Pick<RevocationData, 'tokenId' | 'userId'>): string =>
  tokenId === null ? `user:${userId}` : `token:${tokenId}`;

/** The revocations in a service's own store. */
export function createRevocations(connection: Connection): Revocations {
  const model = connection.model<RevocationDocument>('Revocation', revocationSchema, 'revocations');
  return {
    model,
    async covers({ jti, sub, iat }) {
      const found = await model
        .find({ _id: { $in: [`token:${jti}`, `user:${sub}`] } }, { issuedBefore: 1 })
        .lean();
      return found.some(({ issuedBefore }) => !issuedBefore || iat * 1_000 < issuedBefore.getTime());
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
          },
        },
      );
    },
    async of(userId) {
      const whose = { $or: [{ userId }, { _id: revocationId({ userId, tokenId: null }) }] };
      const found = await model.find({ ...whose, expiresAt: { $gt: new Date() } }, { outbox: 0 }).lean();
      return found.map(({ _id, issuedBefore, expiresAt }) => ({
        userId,
        tokenId: _id.startsWith('token:') ? _id.slice('token:'.length) : null,
        issuedBefore: issuedBefore?.toISOString() ?? null,
        expiresAt: expiresAt.toISOString(),
      }));
    },
  };
}
