import { friendsSaga } from '../features/friends/saga.ts';
import { messengerSaga } from '../features/messenger/saga.ts';
import { realtimeSaga } from '../features/realtime/saga.ts';

/** The sagas of what only members have; visitors never load them. */
export const memberSagas = [friendsSaga, messengerSaga, realtimeSaga];
