import { type Connection, type Model, Schema } from 'mongoose';

/** A passkey's credential. It is valid as long as its account lists it (`passkeys`). */
export interface StoredPasskey {
  /** The credential's id, in base64url. */
  _id: string;
  accountId: number;
  /** The name that its owner gave it. */
  name: string;
  /** COSE key (RFC 9052), in base64url. */
  publicKey: string;
  /** Its signature counter, if it has one: a lower one than before indicates a copy. */
  counter: number;
  /** How a browser reaches it. */
  transports: string[];
  madeAt: Date;
  usedAt?: Date | null;
  /** Recognizes a repeat of the call that added it. */
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
