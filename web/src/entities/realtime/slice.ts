import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { reducer } from '../../shared/saga/reducer.ts';
import { isSessionEnd } from '../auth/slice.ts';
import { connected, connectionLost, messageReceived, onlineChanged, typingReceived } from './events.ts';

interface RealtimeState {
  connection: 'none' | 'up' | 'lost';
  /** The friends who are online. */
  online: number[];
  /** The friends who are typing. */
  typing: number[];
}

const initialState: RealtimeState = { connection: 'none', online: [], typing: [] };

const without = (ids: number[], id: number) => ids.filter((other) => other !== id);

export const realtimeSlice = createSlice({
  name: 'realtime',
  initialState,
  reducers: {
    typingExpired: (state, { payload }: PayloadAction<number>) => {
      state.typing = without(state.typing, payload);
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(connected, (state) => {
        state.connection = 'up';
      })
      .addCase(connectionLost, () => ({ ...initialState, connection: 'lost' }))
      .addCase(onlineChanged, (state, { payload }) => {
        state.online = payload.map(({ userId }) => userId);
      })
      .addCase(typingReceived, (state, { payload: { senderId } }) => {
        state.typing = [...without(state.typing, senderId), senderId];
      })
      .addCase(messageReceived, (state, { payload: { senderId } }) => {
        state.typing = without(state.typing, senderId);
      })
      .addMatcher(isSessionEnd, () => initialState);
  },
  selectors: {
    selectConnection: (state) => state.connection,
    selectOnline: (state) => state.online,
    selectIsOnline: (state, userId: number) => state.online.includes(userId),
    selectIsTyping: (state, userId: number) => state.typing.includes(userId),
  },
}).injectInto(reducer);

export const { typingExpired } = realtimeSlice.actions;
export const { selectConnection, selectOnline, selectIsOnline, selectIsTyping } = realtimeSlice.selectors;
