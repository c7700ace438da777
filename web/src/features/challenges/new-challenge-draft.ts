/** What the draft of the form for a new challenge is kept by. */
export const newChallengeDraft = 'new-challenge';
