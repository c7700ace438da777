import type { Challenge, ChallengeDetails } from '@wayquest/contracts';
import type { ChallengeDocument } from './challenge.model.ts';

type Stored = Omit<ChallengeDocument, 'outbox' | 'version' | 'words'>;

/** A challenge as other services keep it. */
export const presentDetails = (challenge: Stored): ChallengeDetails => {
  const [lng, lat] = challenge.location?.coordinates ?? [];
  return {
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
    startDate: challenge.startDate,
    endDate: challenge.endDate,
    timeZone: challenge.timeZone,
    position: lat === undefined || lng === undefined ? null : { lat, lng },
    creator: { id: challenge.creator.id, username: challenge.creator.username },
    createdAt: challenge.createdAt.toISOString(),
  };
};

/** A challenge as the public sees it. */
export const presentChallenge = (challenge: Stored): Challenge => ({
  ...presentDetails(challenge),
  participants: challenge.participants,
});
