import {
  createEntityAdapter,
  createSelector,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { FriendRequest } from '@wayquest/contracts';
import {
  idle,
  type RequestStatus,
  ready,
  refreshFailed,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { type authSlice, isSessionEnd, selectUser } from '../auth/slice.ts';

/** The person's own requests, sent and received; an accepted one is a friendship. */
interface FriendRequestsState extends EntityState<FriendRequest, number> {
  list: RequestStatus;
  /** People with an action in progress. */
  pending: number[];
}

const requests = createEntityAdapter<FriendRequest>();

/** The requests of a list, in their order. */
export const { selectAll: requestsOf } = requests.getSelectors();

const initialState: FriendRequestsState = requests.getInitialState({ list: idle, pending: [] });

/** An action on a request, and the other person. */
interface RequestTarget {
  id: number;
  otherId: number;
}

const clearPending = (state: FriendRequestsState, otherId: number) => {
  state.pending = state.pending.filter((id) => id !== otherId);
};

export const friendRequestsSlice = createSlice({
  name: 'friendRequests',
  initialState,
  reducers: {
    friendRequestsRequested: (state) => {
      state.list = refreshing(state.list);
    },
    friendRequestsReceived: (state, { payload }: PayloadAction<FriendRequest[]>) => {
      requests.setAll(state, payload);
      state.list = ready;
    },
    friendRequestsFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = refreshFailed(state.list, payload);
    },
    friendRequested: (state, { payload: otherId }: PayloadAction<number>) => {
      state.pending.push(otherId);
    },
    acceptRequested: (state, { payload: { otherId } }: PayloadAction<RequestTarget>) => {
      state.pending.push(otherId);
    },
    removeRequested: (state, { payload: { otherId } }: PayloadAction<RequestTarget>) => {
      state.pending.push(otherId);
    },
    friendRequestAdded: (state, { payload }: PayloadAction<FriendRequest>) => {
      requests.setOne(state, payload);
      clearPending(state, payload.friendId);
    },
    friendRequestUpdated: (state, { payload }: PayloadAction<FriendRequest>) => {
      requests.setOne(state, payload);
      clearPending(state, payload.userId);
    },
    friendRequestRemoved: (state, { payload: { id, otherId } }: PayloadAction<RequestTarget>) => {
      requests.removeOne(state, id);
      clearPending(state, otherId);
    },
    friendActionFailed: (state, { payload: otherId }: PayloadAction<number>) => clearPending(state, otherId),
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    /** How many requests the person has not answered, for the navigation on every page. */
    selectIncomingCount: (state) => requestsOf(state).filter(({ can }) => can?.accept).length,
  },
}).injectInto(reducer);

export const {
  friendRequestsRequested,
  friendRequestsReceived,
  friendRequestsFailed,
  friendRequested,
  acceptRequested,
  removeRequested,
  friendRequestAdded,
  friendRequestUpdated,
  friendRequestRemoved,
  friendActionFailed,
} = friendRequestsSlice.actions;
export const { selectIncomingCount } = friendRequestsSlice.selectors;

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
export const selectIncoming = createSelector([selectItems], (requests) =>
  requests.filter(({ can }) => can?.accept),
);

type Relation = 'self' | 'none' | 'sent' | 'received' | 'friends';

/** The relation of another user to the person. */
export function selectRelation(state: State, userId: number): Relation {
  if (userId === selectMyId(state)) return 'self';
  const request = selectRequestWith(state, userId);
  if (!request) return 'none';
  if (request.status === 'accepted') return 'friends';
  return request.can?.accept ? 'received' : 'sent';
}
