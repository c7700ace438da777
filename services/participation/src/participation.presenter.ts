import type { ChallengeDetails, Participation, PublicUser } from '@wayquest/contracts';
import type { ParticipationDocument } from './participation.model.ts';

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

/** A participation with what it nests. */
export const presentParticipation = (
  participation: StoredParticipation,
  { challenge, user }: { challenge: ChallengeDetails; user: PublicUser },
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
});
