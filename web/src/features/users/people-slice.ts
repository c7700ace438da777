import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { PublicUser } from '@wayquest/contracts';
import type { Loading } from '../../shared/lib/loading.ts';
import { sessionEnded } from '../../shared/saga/request.ts';
import { loggedOut } from '../auth/slice.ts';

interface PeopleState {
  /** What was searched; '' for suggestions. */
  text: string;
  items: PublicUser[];
  /** What the people shown were found by: it is older than `text` while an answer is on its way. */
  foundBy: string;
  list: Loading;
  error: string | null;
}

const initialState: PeopleState = { text: '', items: [], foundBy: '', list: 'idle', error: null };

/** People to meet: found by a search, or suggested. */
export const peopleSlice = createSlice({
  name: 'people',
  initialState,
  reducers: {
    peopleSearched: (state, { payload }: PayloadAction<string>) => {
      state.text = payload;
      state.list = 'loading';
    },
    peopleFound: (state, { payload }: PayloadAction<{ text: string; people: PublicUser[] }>) => {
      state.items = payload.people;
      state.foundBy = payload.text;
      state.list = 'ready';
    },
    peopleFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = 'failed';
      state.error = payload;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => initialState).addCase(sessionEnded, () => initialState);
  },
  selectors: {
    selectSearchText: (state) => state.text,
    selectPeople: (state) => state.items,
    selectFoundBy: (state) => state.foundBy,
    selectPeopleState: (state) => state.list,
    selectPeopleError: (state) => state.error,
  },
});

export const { peopleSearched, peopleFound, peopleFailed } = peopleSlice.actions;
export const { selectSearchText, selectPeople, selectFoundBy, selectPeopleState, selectPeopleError } =
  peopleSlice.selectors;
