import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { PublicUser } from '@wayquest/contracts';
import {
  idle,
  type RequestStatus,
  ready,
  refreshFailed,
  refreshing,
} from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';
import { isSessionEnd } from '../auth/slice.ts';

/** The users whom the person has blocked. */
interface BlocksState {
  people: PublicUser[];
  list: RequestStatus;
  /** Whether a block is being added or removed. */
  changing: boolean;
}

const initialState: BlocksState = { people: [], list: idle, changing: false };

export const blocksSlice = createSlice({
  name: 'blocks',
  initialState,
  reducers: {
    blocksRequested: (state) => {
      state.list = refreshing(state.list);
    },
    blocksReceived: (state, { payload }: PayloadAction<PublicUser[]>) => {
      state.people = payload;
      state.list = ready;
    },
    blocksFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = refreshFailed(state.list, payload);
    },
    blockRequested: (state, _action: PayloadAction<PublicUser>) => {
      state.changing = true;
    },
    unblockRequested: (state, _action: PayloadAction<PublicUser>) => {
      state.changing = true;
    },
    blocked: (state, { payload: user }: PayloadAction<PublicUser>) => {
      state.people = [user, ...state.people.filter(({ id }) => id !== user.id)];
      state.changing = false;
    },
    unblocked: (state, { payload: user }: PayloadAction<PublicUser>) => {
      state.people = state.people.filter(({ id }) => id !== user.id);
      state.changing = false;
    },
    blockChangeFailed: (state) => {
      state.changing = false;
    },
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectBlocked: (state) => state.people,
    selectIsBlocked: (state, userId: number) => state.people.some(({ id }) => id === userId),
    selectBlocksState: (state) => state.list.state,
    selectBlocksError: (state) => state.list.error,
    selectIsBlockChanging: (state) => state.changing,
  },
}).injectInto(reducer);

export const {
  blocksRequested,
  blocksReceived,
  blocksFailed,
  blockRequested,
  unblockRequested,
  blocked,
  unblocked,
  blockChangeFailed,
} = blocksSlice.actions;
export const { selectBlocked, selectIsBlocked, selectBlocksState, selectBlocksError, selectIsBlockChanging } =
  blocksSlice.selectors;
