import {
  type Area,
  type Challenge,
  type ChallengeCluster,
  type ChallengeDetails,
  type ChallengePicture,
  type Difficulty,
  type PlaceCategory,
  type Position,
  placeCategoryOf,
  type Status,
  type SuggestionTemplate,
} from '@wayquest/contracts';
import type { Idempotency } from '@wayquest/platform/http';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import type { WithLastEventAt } from '@wayquest/platform/replicas';
import type { WithSearchTokens } from '@wayquest/platform/search';
import { type Connection, Schema } from 'mongoose';
import type { TileCount } from './tile-counts.ts';
import { boxOf } from './tiles.ts';

export interface ChallengeDocument extends WithOutbox, WithSearchTokens {
  _id: number;
  version: number;
  name: string;
  description: string;
  difficulty: Difficulty;
  points: number;
  locationName: string;
  streetAddress: string;
  city: string;
  state: string;
  zip: string;
  startDate: string | null;
  endDate: string | null;
  timeZone: string;
  /** GeoJSON (RFC 7946): longitude first. */
  location?: { type: 'Point'; coordinates: [number, number] } | null;
  /** Where it can be completed if it has no exact place. */
  area?: Area;
  /** Its kind of place; missing in challenges of older versions. */
  placeCategory?: PlaceCategory;
  /** Its tile of the finest level, if it is on the map (see tiles.ts). */
  tile?: string;
  /** Whether completing it requires a check-in. */
  checkInRequired?: boolean;
  creator: { id: number; username: string };
  participants: number;
  createdAt: Date;
  /** Id of the suggestion that it was created from. */
  suggestion?: string;
  /** The texts of its suggestion, until somebody changes them. */
  template?: SuggestionTemplate | null;
  /** The photo that participation shows as its picture. */
  picture?: ChallengePicture | null;
  /** The version of that picture, so that an older one that arrives late changes nothing. */
  pictureVersion?: number | null;
  /** When the newest event about it occurred, by participation's clock. */
  pictureLastEventAt?: Date | null;
  /** Recognizes a repeat of the call that created it. */
  idempotency?: Idempotency;
  /** Missing while it is live. */
  status?: Exclude<Status, 'live'> | null;
  /** The version of the decision about its status. */
  decision?: number | null;
}

/** Filter for publicly visible challenges. */
export const publicFilter = { deletedAt: null, status: null } as const;

// The store drops what is not declared here, so a missing field is a type error.
const fields = {
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  name: { type: String, required: true },
  description: String,
  difficulty: { type: String, required: true },
  points: { type: Number, required: true },
  locationName: String,
  streetAddress: String,
  city: String,
  state: String,
  zip: String,
  words: { type: [String], required: true },
  startDate: String,
  endDate: String,
  timeZone: { type: String, required: true },
  location: { type: { type: String }, coordinates: { type: [Number], default: undefined } },
  area: { kind: { type: String }, radiusMeters: Number },
  tile: String,
  placeCategory: String,
  checkInRequired: Boolean,
  creator: { id: { type: Number, required: true }, username: { type: String, required: true } },
  participants: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  suggestion: String,
  template: { key: String, place: String },
  picture: { completionId: Number, userId: Number, photo: String },
  pictureVersion: Number,
  pictureLastEventAt: Date,
  idempotency: { key: String, fingerprint: String },
  status: String,
  decision: Number,
} satisfies Record<Exclude<keyof ChallengeDocument, keyof WithOutbox>, unknown>;
const schema = new Schema<ChallengeDocument>(fields);
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ location: '2dsphere' }, { sparse: true });
schema.index({ tile: 1 }, { sparse: true });
schema.index({ words: 1 });
schema.index({ placeCategory: 1, _id: -1 });
schema.index({ 'creator.id': 1 });
schema.index({ 'picture.userId': 1 }, { sparse: true });
schema.index({ startDate: 1 });
schema.index({ endDate: 1, _id: -1 });
schema.index({ timeZone: 1, status: 1, endDate: 1 });
schema.index({ participants: -1, _id: -1 });
// Also of deleted ones, so that a suggestion that was rejected stays rejected.
schema.index({ suggestion: 1 }, { unique: true, sparse: true });
schema.index({ 'idempotency.key': 1 }, { unique: true, sparse: true });

export const challengeModel = (connection: Connection) =>
  connection.model<ChallengeDocument>('Challenge', schema, 'challenges');

/** Current usernames: a replica of the users service's profiles, fed by events. */
export interface CreatorDocument extends WithLastEventAt {
  _id: number;
  username: string;
  version: number;
}

const creatorSchema = new Schema<CreatorDocument>({
  _id: { type: Number, required: true },
  username: { type: String, required: true },
  version: { type: Number, required: true },
  lastEventAt: Date,
});
creatorSchema.set('shardKey', { _id: 'hashed' });

export const creatorModel = (connection: Connection) =>
  connection.model<CreatorDocument>('Creator', creatorSchema, 'creators');

/** A tile's challenges as a cluster; a single one with its kind of place, if known. */
export const presentCluster = (
  tile: string,
  { count, lng, lat, newest, city }: TileCount,
  placeCategory?: PlaceCategory,
): ChallengeCluster => ({
  position: { lat: lat / count, lng: lng / count },
  count,
  newest,
  city,
  ...(placeCategory && { placeCategory }),
  bbox: boxOf(tile),
});

type Stored = Omit<ChallengeDocument, 'outbox' | 'version' | 'words'>;

export const presentPosition = (location: Stored['location']): Position | null => {
  const [lng, lat] = location?.coordinates ?? [];
  return lat === undefined || lng === undefined ? null : { lat, lng };
};

/** A challenge as in replicas of other services. A field of the contract that is missing here is a type error. */
export const presentDetails = (challenge: Stored): ChallengeDetails =>
  ({
    id: challenge._id,
    name: challenge.name,
    description: challenge.description,
    difficulty: challenge.difficulty,
    points: challenge.points,
    locationName: challenge.locationName,
    streetAddress: challenge.streetAddress,
    city: challenge.city,
    state: challenge.state,
    zip: challenge.zip,
    placeCategory: placeCategoryOf(challenge),
    startDate: challenge.startDate,
    endDate: challenge.endDate,
    timeZone: challenge.timeZone,
    position: presentPosition(challenge.location),
    ...(challenge.area && { area: challenge.area }),
    checkInRequired: challenge.checkInRequired ?? false,
    creator: { id: challenge.creator.id, username: challenge.creator.username },
    ...(challenge.suggestion !== undefined && { suggestion: challenge.suggestion }),
    ...(challenge.template && { template: challenge.template }),
    ...(challenge.picture && { picture: challenge.picture }),
    createdAt: challenge.createdAt.toISOString(),
    status: challenge.status ?? 'live',
  }) satisfies Omit<Required<ChallengeDetails>, 'area' | 'picture' | 'suggestion' | 'template'>;

/** A challenge as the public sees it. */
export const presentChallenge = (challenge: Stored): Challenge => ({
  ...presentDetails(challenge),
  participants: challenge.participants,
});
