import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { FriendRequest } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';

interface FriendRequestsState {
  /** The person's own, sent and received; an accepted one is a friendship. */
  items: FriendRequest[];
  list: Loading;
  error: string | null;
  /** The people with whom something is on its way. */
  pending: number[];
}

const initialState: FriendRequestsState = { items: [], list: 'idle', error: null, pending: [] };

/** What is asked about a request, and who the other one is. */
interface About {
  id: number;
  otherId: number;
}

function upsert(items: FriendRequest[], request: FriendRequest) {
  const index = items.findIndex(({ id }) => id === request.id);
  if (index === -1) items.push(request);
  else items[index] = request;
}

const settle = (state: FriendRequestsState, otherId: number) => {
  state.pending = state.pending.filter((id) => id !== otherId);
};

export const friendRequestsSlice = createSlice({
  name: 'friendRequests',
  initialState,
  reducers: {
    friendRequestsRequested: (state) => {
      state.list = state.list === 'ready' ? 'ready' : 'loading';
    },
    friendRequestsReceived: (state, { payload }: PayloadAction<FriendRequest[]>) => {
      state.items = payload;
      state.list = 'ready';
    },
    friendRequestsFailed: (state, { payload }: PayloadAction<string>) => {
      // What is known already is worth more than a sentence about what could not be asked again.
      if (state.list === 'ready') return;
      state.list = 'failed';
      state.error = payload;
    },
    friendAsked: (state, { payload: otherId }: PayloadAction<number>) => {
      state.pending.push(otherId);
    },
    acceptRequested: (state, { payload: { otherId } }: PayloadAction<About>) => {
      state.pending.push(otherId);
    },
    removeRequested: (state, { payload: { otherId } }: PayloadAction<About>) => {
      state.pending.push(otherId);
    },
    friendRequestAdded: (state, { payload }: PayloadAction<FriendRequest>) => {
      upsert(state.items, payload);
      settle(state, payload.friendId);
    },
    friendRequestUpdated: (state, { payload }: PayloadAction<FriendRequest>) => {
      upsert(state.items, payload);
      settle(state, payload.userId);
    },
    friendRequestRemoved: (state, { payload: { id, otherId } }: PayloadAction<About>) => {
      state.items = state.items.filter((request) => request.id !== id);
      settle(state, otherId);
    },
    friendActionFailed: (state, { payload: otherId }: PayloadAction<number>) => settle(state, otherId),
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => initialState).addCase(sessionEnded, () => initialState);
  },
  selectors: {
    /** For the navigation, which is on every page: how many requests wait for this person's answer. */
    selectIncomingCount: (state, myId: number | undefined) =>
      state.items.filter(({ status, friendId }) => status === 'pending' && friendId === myId).length,
  },
});

export const {
  friendRequestsRequested,
  friendRequestsReceived,
  friendRequestsFailed,
  friendAsked,
  acceptRequested,
  removeRequested,
  friendRequestAdded,
  friendRequestUpdated,
  friendRequestRemoved,
  friendActionFailed,
} = friendRequestsSlice.actions;
export const { selectIncomingCount } = friendRequestsSlice.selectors;
