import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { PublicUser } from '@wayquest/contracts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';

interface UsersState extends EntityState<PublicUser, number> {
  /** Of the one person that a profile page asked for. */
  one: RequestStatus;
}

const users = createEntityAdapter<PublicUser>();

const initialState: UsersState = users.getInitialState({ one: idle });

export const usersSlice = createSlice({
  name: 'users',
  initialState,
  reducers: {
    userRequested: (state, _action: PayloadAction<number>) => {
      state.one = loading;
    },
    publicUserReceived: (state, { payload }: PayloadAction<PublicUser>) => {
      users.setOne(state, payload);
      state.one = ready;
    },
    userFailed: (state, { payload }: PayloadAction<string>) => {
      state.one = failed(payload);
    },
  },
  selectors: {
    selectUserById: users.getSelectors().selectById,
    selectUserState: (state) => state.one.state,
    selectUserError: (state) => state.one.error,
  },
});

export const { userRequested, publicUserReceived, userFailed } = usersSlice.actions;
export const { selectUserById, selectUserState, selectUserError } = usersSlice.selectors;
