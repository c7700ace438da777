import { eventChannel } from 'redux-saga';
import type { Deps } from './deps.ts';

/** A channel of the changes of what waits that other tabs make. */
export const changesElsewhere = ({ unsentItems }: Deps, userId: number) =>
  eventChannel<true>((emit) => unsentItems.watch(userId, () => emit(true)));
