import type { ChallengeDetails, ImplausibilityReason, Participation, PublicUser } from '@wayquest/contracts';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';
import { whyClosed } from './completion-checks.ts';

export interface ParticipationDocument extends WithOutbox {
  _id: number;
  /** `<user>:<challenge>`: at most one participation of each. Removed from a tombstone. */
  key?: string;
  userId: number;
  challengeId: number;
  completed: boolean;
  /** The challenge's points at completion. */
  points?: number | null;
  joinedAt: Date;
  completedAt?: Date | null;
  /** The local date at the place (YYYY-MM-DD). Absent in documents of older versions. */
  day?: string | null;
  /** The challenge's creator at completion. Absent in documents of older versions. */
  creatorId?: number | null;
  /** Completed with a check-in: by the device's position, which is not stored. */
  checkedIn?: true | null;
  /** Why the completion is implausible; only admins see it, with the award. */
  flagReason?: ImplausibilityReason | null;
  /** What its owner wrote about the completion. */
  note?: string | null;
  /** The id of its photo. A photo that no participation names is not served. */
  photo?: string | null;
  /** How many people thanked for it. Absent: none. */
  thanks?: number | null;
  /** Somebody reported it: admins see it, whatever its owner's privacy settings. */
  reported?: true | null;
  /** What moderation decided about note and photo, unless they are shown. */
  moderated?: 'hidden' | 'deleted' | null;
  /** The version of that decision, so that an older one that arrives late changes nothing. */
  decision?: number | null;
}

const schema = new Schema<ParticipationDocument>({
  _id: { type: Number, required: true },
  key: String,
  userId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  completed: { type: Boolean, required: true },
  points: Number,
  joinedAt: { type: Date, required: true },
  completedAt: Date,
  day: String,
  creatorId: Number,
  checkedIn: Boolean,
  flagReason: String,
  note: String,
  photo: String,
  thanks: Number,
  reported: Boolean,
  moderated: String,
  decision: Number,
});
addOutbox(schema);
schema.set('shardKey', { userId: 'hashed' });
schema.index({ key: 1 }, { unique: true, sparse: true });
schema.index({ userId: 1, _id: -1 });
schema.index({ userId: 1, completed: 1, completedAt: -1 });
schema.index({ challengeId: 1, _id: 1 });
schema.index({ challengeId: 1, completedAt: -1, _id: -1 });

export const participationKey = (userId: number, challengeId: number): string => `${userId}:${challengeId}`;

export const participationModel = (connection: Connection) =>
  connection.model<ParticipationDocument>('Participation', schema, 'participations');

export type StoredParticipation = Omit<ParticipationDocument, 'outbox'>;

/** For readers without an account: no times, by which a person could be tracked. */
export const withoutTimes = (participation: Participation): Participation => ({
  ...participation,
  joinedAt: `${participation.joinedAt.slice(0, 10)}T00:00:00.000Z`,
  completedAt: null,
});

/**
 * For readers of other people's completions: no positions, since the map of completions has its own privacy setting.
 */
export const withoutPlace = ({ challenge, ...participation }: Participation): Participation => ({
  ...participation,
  challenge: { ...challenge, position: null, streetAddress: '', zip: '' },
});

/** What its user can do with a participation at a time. */
const abilitiesOf = ({ completed }: StoredParticipation, challenge: ChallengeDetails, now: Date) => ({
  complete: !completed && !whyClosed(challenge, now),
  leave: !completed,
});

/**
 * A participation with what it nests.
 *
 * @param readerId - The caller, who sees what they can do with their own.
 */
export const presentParticipation = (
  participation: StoredParticipation,
  { challenge, user }: { challenge: ChallengeDetails; user: PublicUser },
  { readerId, now }: { readerId: number | undefined; now: Date },
): Participation => ({
  id: participation._id,
  userId: participation.userId,
  challengeId: participation.challengeId,
  completed: participation.completed,
  points: participation.points ?? challenge.points,
  joinedAt: participation.joinedAt.toISOString(),
  completedAt: participation.completedAt?.toISOString() ?? null,
  checkedIn: participation.checkedIn ?? false,
  challenge,
  user,
  ...(readerId === participation.userId && { can: abilitiesOf(participation, challenge, now) }),
});

/** The photo of a completion, as it is served; a participation references it (ADR 49). */
export interface PhotoDocument {
  /** 32 random hexadecimal digits. */
  _id: string;
  participationId: number;
  challengeId: number;
  userId: number;
  data: Buffer;
  /** The part of it that cards show. */
  thumbnail: Buffer;
  uploadedAt: Date;
}

const photoSchema = new Schema<PhotoDocument>({
  _id: { type: String, required: true },
  participationId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  userId: { type: Number, required: true },
  data: { type: Buffer, required: true },
  thumbnail: { type: Buffer, required: true },
  uploadedAt: { type: Date, required: true },
});
photoSchema.set('shardKey', { _id: 'hashed' });
photoSchema.index({ participationId: 1 });
photoSchema.index({ challengeId: 1, uploadedAt: -1, _id: -1 });
photoSchema.index({ userId: 1 });

export const photoModel = (connection: Connection) =>
  connection.model<PhotoDocument>('Photo', photoSchema, 'photos');
