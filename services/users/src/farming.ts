/** A completion of somebody else's challenge, as the ledger has it. */
export interface Done {
  creatorId?: number;
  /** It was completed within minutes of the challenge's making. */
  quick?: boolean | null;
  /** Null: somebody has looked at it. */
  heldAt?: Date | null;
  withdrawn?: number | null;
}

/** How far back it is looked, and how many completions of each of the two at most, the newest. */
export const lookedBackMs = 30 * 24 * 3_600 * 1_000;
export const maxExamined = 100;

/** Whoever is there makes a challenge, and a friend beside them completes it: once or twice is nothing. */
const fewest = 3;

/** So many of all that somebody completed are one other's: who also goes elsewhere lives off nobody. */
const share = 0.8;

const quickMs = 10 * 60 * 1_000;

/** Whether something was completed within minutes of its making; of what older versions told that is not known. */
export const isQuick = (createdAt: string | undefined, completedAt: string): boolean =>
  createdAt !== undefined && Date.parse(completedAt) - Date.parse(createdAt) <= quickMs;

/** An admin who let it count has found nothing wrong with it. */
const speaksAgainst = ({ quick, heldAt, withdrawn }: Done): boolean =>
  !!quick && (heldAt !== null || !!withdrawn);

/**
 * Whether what somebody completed, of others' making, is hardly anything but one other's challenges, most of them within
 * minutes of their making.
 */
export function livesOff(done: readonly Done[], creatorId: number): boolean {
  const theirs = done.filter((each) => each.creatorId === creatorId);
  return (
    theirs.length >= fewest &&
    theirs.length >= share * done.length &&
    theirs.filter(speaksAgainst).length > theirs.length / 2
  );
}
