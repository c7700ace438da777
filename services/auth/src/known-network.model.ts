import { type Connection, type Model, Schema } from 'mongoose';

/** A network from which somebody has logged in. */
export interface KnownNetwork {
  /** A keyed hash of account and network: the store alone does not reveal who has been where. */
  _id: string;
  expiresAt: Date;
}

const knownNetworkSchema = new Schema<KnownNetwork>({
  _id: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
knownNetworkSchema.set('shardKey', { _id: 'hashed' });
knownNetworkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const knownNetworkModel = (connection: Connection): Model<KnownNetwork> =>
  connection.model<KnownNetwork>('KnownNetwork', knownNetworkSchema, 'known_networks');
