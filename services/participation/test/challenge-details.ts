import type { ChallengeDetails } from '@wayquest/contracts';

/** Details of a challenge as events contain them; by default without dates and position. */
export const challengeDetails = (id: number, changes: Partial<ChallengeDetails> = {}): ChallengeDetails => ({
  ...{ id, name: `Challenge ${id}`, description: '', difficulty: 'Easy', points: 10 },
  ...{ locationName: '', streetAddress: '', city: '', state: '', zip: '', position: null },
  ...{ startDate: null, endDate: null, timeZone: 'America/New_York' },
  ...{ creator: { id: 1, username: 'maker' }, createdAt: new Date().toISOString() },
  ...changes,
});
