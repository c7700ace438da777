import type { EventData, TokenClaims } from '@wayquest/contracts';
import { type Connection, type Model, Schema } from 'mongoose';
import { addOutbox, type WithOutbox } from './outbox.ts';

interface RevocationDocument extends WithOutbox {
  /** `token:<id>` for one token, `user:<id>` for all that a person was given before a moment. */
  _id: string;
  issuedBefore?: Date | null;
  expiresAt: Date;
}

const revocationSchema = new Schema<RevocationDocument>({
  _id: { type: String, required: true },
  issuedBefore: Date,
  expiresAt: { type: Date, required: true },
});
addOutbox(revocationSchema);
revocationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type RevocationData = EventData<'token.revoked.v1'>;

/** The tokens that count no more although they have not run out, as this service has heard of them. */
export interface Revocations {
  model: Model<RevocationDocument>;
  covers(claims: TokenClaims): Promise<boolean>;
  /** Keeps a revocation; one that is kept already is only ever widened. */
  add(data: RevocationData): Promise<void>;
}

export const revocationId = ({ tokenId, userId }: RevocationData): string =>
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
      await model.updateOne(
        { _id: revocationId(data) },
        {
          $max: {
            expiresAt: new Date(data.expiresAt),
            ...(data.issuedBefore && { issuedBefore: new Date(data.issuedBefore) }),
          },
        },
        { upsert: true },
      );
    },
  };
}
