import {
  type Challenge,
  type ChallengeCluster,
  type ChallengeDetails,
  type PlaceCategory,
  type Position,
  placeCategoryOf,
} from '@wayquest/contracts';
import type { ChallengeDocument } from './challenge.model.ts';
import type { TileCount } from './tile-counts.ts';
import { boxOf } from './tiles.ts';

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
    checkInRequired: challenge.checkInRequired ?? false,
    creator: { id: challenge.creator.id, username: challenge.creator.username },
    ...(challenge.suggestion !== undefined && { suggestion: challenge.suggestion }),
    createdAt: challenge.createdAt.toISOString(),
    status: challenge.status ?? 'live',
  }) satisfies Omit<Required<ChallengeDetails>, 'suggestion'>;

/** A challenge as the public sees it. */
export const presentChallenge = (challenge: Stored): Challenge => ({
  ...presentDetails(challenge),
  participants: challenge.participants,
});
