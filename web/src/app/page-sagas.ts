import { blocksSaga } from '../entities/blocks/saga.ts';
import { challengesSaga } from '../entities/challenges/saga.ts';
import { participationsSaga } from '../entities/participations/saga.ts';
import { exploreSaga } from '../features/explore/saga.ts';
import { leaderboardSaga } from '../features/leaderboard/saga.ts';
import { usersSaga } from '../features/users/saga.ts';

/** The sagas of pages that are public, loaded with the first of them. */
export const pageSagas = [
  blocksSaga,
  usersSaga,
  challengesSaga,
  participationsSaga,
  exploreSaga,
  leaderboardSaga,
];
