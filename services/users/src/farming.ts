/** A completion of another user's challenge, from the ledger. */
export interface ForeignCompletion {
  creatorId?: number;
  /** Completed within minutes of the challenge's creation. */
  quick?: boolean | null;
  /** Null: reviewed. */
  flaggedAt?: Date | null;
  revokedPoints?: number | null;
}

/** How far back to look, and at how many of the newest completions of each user. */
export const lookbackMs = 30 * 24 * 3_600 * 1_000;
export const maxExamined = 100;

/** A friend at the same place may complete a new challenge: once or twice is not farming. */
const minCompletions = 3;

/** Share of completions that are one other user's challenges. */
const minShare = 0.8;

const quickMs = 10 * 60 * 1_000;

/** Whether it was completed within minutes of its creation; unknown for events of older versions. */
export const isSoonAfterCreation = (createdAt: string | undefined, completedAt: string): boolean =>
  createdAt !== undefined && Date.parse(completedAt) - Date.parse(createdAt) <= quickMs;

/** Approved awards were found to be fine. */
const isSuspicious = ({ quick, flaggedAt, revokedPoints }: ForeignCompletion): boolean =>
  !!quick && (flaggedAt !== null || !!revokedPoints);

/**
 * Whether a user's completions of others' challenges are nearly all of one other user's, most of them within minutes of their
 * creation.
 */
export function isFarmedBy(completions: readonly ForeignCompletion[], creatorId: number): boolean {
  const ofCreator = completions.filter((each) => each.creatorId === creatorId);
  return (
    ofCreator.length >= minCompletions &&
    ofCreator.length >= minShare * completions.length &&
    ofCreator.filter(isSuspicious).length > ofCreator.length / 2
  );
}
