import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { PublicUser } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';

interface UsersState {
  items: PublicUser[];
  /** The one person a profile page asked for. */
  one: Loading;
  error: string | null;
}

const initialState: UsersState = { items: [], one: 'idle', error: null };

export const usersSlice = createSlice({
  name: 'users',
  initialState,
  reducers: {
    userRequested: (state, _action: PayloadAction<number>) => {
      state.one = 'loading';
      state.error = null;
    },
    publicUserReceived: (state, { payload }: PayloadAction<PublicUser>) => {
      state.items = [...state.items.filter(({ id }) => id !== payload.id), payload];
      state.one = 'ready';
    },
    userFailed: (state, { payload }: PayloadAction<string>) => {
      state.one = 'failed';
      state.error = payload;
    },
  },
  selectors: {
    selectUserById: (state, id: number) => state.items.find((user) => user.id === id),
    selectUserState: (state) => state.one,
    selectUserError: (state) => state.error,
  },
});

export const { userRequested, publicUserReceived, userFailed } = usersSlice.actions;
export const { selectUserById, selectUserState, selectUserError } = usersSlice.selectors;
