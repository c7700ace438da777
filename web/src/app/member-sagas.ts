import { ownEntriesSaga } from '../entities/challenge-log/saga.ts';
import { conversationsSaga } from '../entities/conversations/saga.ts';
import { friendsSaga } from '../entities/friends/saga.ts';
import { pendingCompletionsSaga } from '../entities/participations/pending-saga.ts';
import { realtimeSaga } from '../entities/realtime/saga.ts';
import { accountSaga } from '../features/account/saga.ts';
import { messengerSaga } from '../features/messenger/saga.ts';
import { notificationsSaga } from '../features/notifications/saga.ts';
import { profileSaga } from '../features/profile/saga.ts';

/** The sagas of features for members only; visitors never load them. */
export const memberSagas = [
  friendsSaga,
  conversationsSaga,
  messengerSaga,
  notificationsSaga,
  profileSaga,
  accountSaga,
  pendingCompletionsSaga,
  ownEntriesSaga,
  realtimeSaga,
];
