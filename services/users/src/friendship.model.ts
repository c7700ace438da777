import { type Connection, Schema } from 'mongoose';

/** Who is friends with whom: a replica of the friends service's requests, fed by events. */
export interface FriendshipDocument {
  /** The request's id. */
  _id: number;
  userIds: number[];
  /** Kept as a mark, since the event of its end may arrive before that of its beginning. */
  removed: boolean;
}

const schema = new Schema<FriendshipDocument>({
  _id: { type: Number, required: true },
  userIds: { type: [Number], required: true },
  removed: { type: Boolean, required: true },
});
schema.index({ userIds: 1 });

export const friendshipModel = (connection: Connection) =>
  connection.model<FriendshipDocument>('Friendship', schema, 'friendships');
