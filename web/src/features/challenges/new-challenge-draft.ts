/** The key of the draft of a new challenge. */
export const newChallengeDraft = 'new-challenge';
