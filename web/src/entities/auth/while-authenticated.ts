import { call, race, type SelectEffect, select, type TakeEffect, take } from 'redux-saga/effects';
import type { Deps } from '../../shared/saga/deps.ts';
import { selectUser } from './slice.ts';

function* waitForOtherUser(
  before: number | undefined,
): Generator<SelectEffect | TakeEffect, number | undefined> {
  for (;;) {
    const user: ReturnType<typeof selectUser> = yield select(selectUser);
    if (user?.id !== before) return user?.id;
    yield take('*');
  }
}

/** Runs a saga as long as the same person is logged in, and restarts it for the next person. */
export function* whileAuthenticated(deps: Deps, session: (deps: Deps, userId: number) => Generator) {
  let userId = yield* waitForOtherUser(undefined);
  for (;;) {
    if (userId !== undefined) {
      yield race([call(session, deps, userId), call(waitForOtherUser, userId)]);
    }
    userId = yield* waitForOtherUser(userId);
  }
}
