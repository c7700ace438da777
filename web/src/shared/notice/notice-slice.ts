import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface Notice {
  text: string;
  tone: 'good' | 'bad';
}

interface NoticeState {
  current: Notice | null;
}

const initialState: NoticeState = { current: null };

/** A notice about what just happened, which is also shown after a navigation. */
export const noticeSlice = createSlice({
  name: 'notice',
  initialState,
  reducers: {
    noticed: (state, { payload }: PayloadAction<Notice>) => {
      state.current = payload;
    },
    dismissed: (state) => {
      state.current = null;
    },
  },
  selectors: { selectNotice: (state) => state.current },
});

export const { noticed, dismissed } = noticeSlice.actions;
export const { selectNotice } = noticeSlice.selectors;
