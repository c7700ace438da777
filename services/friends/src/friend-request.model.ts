import type { FriendRequest, FriendRequestStatus, PublicUser } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';

export interface FriendRequestDocument extends WithOutbox {
  _id: number;
  /** Both people, the smaller id first: at most one request for each pair. A tombstone releases it. */
  pair?: string;
  userId: number;
  friendId: number;
  status: FriendRequestStatus;
  createdAt: Date;
}

/** One person's recent requests to another. */
export interface RequestCooldownDocument {
  /** `<sender>:<recipient>`. */
  _id: string;
  times: number;
  /** After a declined request: the earliest time for another one. */
  declinedUntil?: Date | null;
  /** When all of it expires. */
  expiresAt: Date;
}

const cooldownSchema = new Schema<RequestCooldownDocument>({
  _id: { type: String, required: true },
  times: { type: Number, required: true },
  declinedUntil: Date,
  expiresAt: { type: Date, required: true },
});
cooldownSchema.set('shardKey', { _id: 'hashed' });
cooldownSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const requestCooldownModel = (connection: Connection) =>
  connection.model<RequestCooldownDocument>(
    'FriendRequestCooldown',
    cooldownSchema,
    'friend_request_cooldowns',
  );

const schema = new Schema<FriendRequestDocument>({
  _id: { type: Number, required: true },
  pair: String,
  userId: { type: Number, required: true },
  friendId: { type: Number, required: true },
  status: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ pair: 1 }, { unique: true, sparse: true });
schema.index({ userId: 1, _id: 1 });
schema.index({ friendId: 1, _id: 1 });

export const friendRequestModel = (connection: Connection) =>
  connection.model<FriendRequestDocument>('FriendRequest', schema, 'friend_requests');

interface Request {
  userId: number;
  friendId: number;
}

/** Only the recipient can accept a request. */
export const acceptersOf = ({ friendId }: Pick<Request, 'friendId'>): number[] => [friendId];

/** Either side can decline, cancel or unfriend. */
export const removersOf = ({ userId, friendId }: Request): number[] => [userId, friendId];

export type StoredRequest = Omit<FriendRequestDocument, 'outbox'>;

/** A request with both people, for one of them; undefined while one of them is unknown to the replica. */
export function presentFriendRequest(
  request: StoredRequest,
  users: ReadonlyMap<number, PublicUser>,
  callerId: number,
): FriendRequest | undefined {
  const { _id, userId, friendId, status, createdAt } = request;
  const user = users.get(userId);
  const friend = users.get(friendId);
  if (!user || !friend) return undefined;
  const can = { accept: status === 'pending' && acceptersOf(request).includes(callerId) };
  return { id: _id, userId, friendId, status, createdAt: createdAt.toISOString(), user, friend, can };
}
