import { createSelector } from '@reduxjs/toolkit';
import type { FriendRequest } from '@wayquest/contracts';
import { selectUser } from '../auth/selectors.ts';
import type { authSlice } from '../auth/slice.ts';
import { friendRequestsSlice, requestsOf } from './slice.ts';

type State = Parameters<typeof friendRequestsSlice.selectSlice>[0] &
  Parameters<typeof authSlice.selectSlice>[0];

const selectState = (state: State) => friendRequestsSlice.selectSlice(state);
const selectItems = (state: State) => requestsOf(selectState(state));
const selectMyId = (state: State) => selectUser(state)?.id;

export const selectFriendsState = (state: State) => selectState(state).list.state;
export const selectFriendsError = (state: State) => selectState(state).list.error;
export const selectIsPending = (state: State, userId: number) => selectState(state).pending.includes(userId);

/** The request between the person and another one, if there is one. */
export const selectRequestWith = (state: State, userId: number) =>
  selectItems(state).find((request) => request.userId === userId || request.friendId === userId);

const otherOf = (request: FriendRequest, myId: number | undefined) =>
  request.userId === myId ? request.friend : request.user;

/** The person's friends. */
export const selectFriends = createSelector([selectItems, selectMyId], (requests, myId) =>
  requests.filter(({ status }) => status === 'accepted').map((request) => otherOf(request, myId)),
);

/** Requests that the person has not answered. */
export const selectIncoming = createSelector([selectItems, selectMyId], (requests, myId) =>
  requests.filter(({ status, friendId }) => status === 'pending' && friendId === myId),
);

export type Relation = 'self' | 'none' | 'sent' | 'received' | 'friends';

/** The relation of another user to the person. */
export function selectRelation(state: State, userId: number): Relation {
  if (userId === selectMyId(state)) return 'self';
  const request = selectRequestWith(state, userId);
  if (!request) return 'none';
  if (request.status === 'accepted') return 'friends';
  return request.userId === userId ? 'received' : 'sent';
}
