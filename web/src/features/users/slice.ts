import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { PublicUser } from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

interface UsersState extends EntityState<PublicUser, number> {
  /** Request of the user whose page is shown. */
  one: RequestStatus;
  /** Whether the user does not exist: retrying would not help. */
  gone: boolean;
}

const users = createEntityAdapter<PublicUser>();

const initialState: UsersState = users.getInitialState({ one: idle, gone: false });

export const usersSlice = createSlice({
  name: 'users',
  initialState,
  reducers: {
    userRequested: (state, _action: PayloadAction<number>) => {
      state.one = loading;
      state.gone = false;
    },
    publicUserReceived: (state, { payload }: PayloadAction<PublicUser>) => {
      users.setOne(state, payload);
      state.one = ready;
    },
    userFailed: (state, { payload }: PayloadAction<string>) => {
      state.one = failed(payload);
    },
    userGone: (state) => {
      state.gone = true;
    },
  },
  selectors: {
    selectUserById: users.getSelectors().selectById,
    selectUserState: (state) => state.one.state,
    selectUserError: (state) => state.one.error,
    selectIsUserGone: (state) => state.gone,
  },
}).injectInto(reducer);

export const { userRequested, publicUserReceived, userFailed, userGone } = usersSlice.actions;
export const { selectUserById, selectUserState, selectUserError, selectIsUserGone } = usersSlice.selectors;
