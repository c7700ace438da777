import type { ChallengeDetails, ChallengeLine, PublicUser } from '@wayquest/contracts';
import type { LineDocument } from './line.model.ts';

export type StoredLine = Omit<LineDocument, 'outbox'>;

/** For readers without an account: no times, by which a person could be tracked. */
export const withoutTimes = (line: ChallengeLine): ChallengeLine => ({
  ...line,
  joinedAt: `${line.joinedAt.slice(0, 10)}T00:00:00.000Z`,
  completedAt: null,
});

/**
 * For readers of other people's completions: no positions, since the map of completions has its own privacy setting.
 */
export const withoutPlace = ({ challenge, ...line }: ChallengeLine): ChallengeLine => ({
  ...line,
  challenge: { ...challenge, position: null, streetAddress: '', zip: '' },
});

/** A line with what it nests. */
export const presentLine = (
  line: StoredLine,
  { challenge, user }: { challenge: ChallengeDetails; user: PublicUser },
): ChallengeLine => ({
  id: line._id,
  userId: line.userId,
  challengeId: line.challengeId,
  completed: line.completed,
  points: line.points ?? challenge.points,
  joinedAt: line.joinedAt.toISOString(),
  completedAt: line.completedAt?.toISOString() ?? null,
  checkedIn: line.checkedIn ?? false,
  challenge,
  user,
});
