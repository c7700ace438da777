import { type Connection, type Model, Schema } from 'mongoose';

/** What a passkey is known again by. It gets in as long as its account names it (`passkeys`). */
export interface StoredPasskey {
  /** The credential's id, in base64url. */
  _id: string;
  accountId: number;
  /** As its owner calls it. */
  name: string;
  /** Of COSE (RFC 9052), in base64url. */
  publicKey: string;
  /** How often it has signed, if it counts: less than before is a copy. */
  counter: number;
  /** How a browser reaches it. */
  transports: string[];
  madeAt: Date;
  usedAt?: Date | null;
  /** What the call that added it is known again by. */
  idempotencyKey?: string | null;
}

const passkeySchema = new Schema<StoredPasskey>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  name: { type: String, required: true },
  publicKey: { type: String, required: true },
  counter: { type: Number, required: true },
  transports: { type: [String], required: true },
  madeAt: { type: Date, required: true },
  usedAt: Date,
  idempotencyKey: String,
});
passkeySchema.set('shardKey', { _id: 'hashed' });
passkeySchema.index({ accountId: 1, madeAt: 1 });

export const passkeyModel = (connection: Connection): Model<StoredPasskey> =>
  connection.model<StoredPasskey>('Passkey', passkeySchema, 'passkeys');
