import { createEntityAdapter, createSlice, type EntityState, type PayloadAction } from '@reduxjs/toolkit';
import type { ViewedUser } from '@wayquest/contracts';
import { isSessionEnd } from '../../entities/auth/slice.ts';
import { failed, idle, loading, type RequestStatus, ready } from '../../shared/lib/request-status.ts';
import { reducer } from '../../shared/saga/reducer.ts';

interface UsersState extends EntityState<ViewedUser, number> {
  /** Request of the user whose page is shown. */
  detail: RequestStatus;
  /** Whether the user does not exist: retrying would not help. */
  notFound: boolean;
}

const users = createEntityAdapter<ViewedUser>();

const initialState: UsersState = users.getInitialState({ detail: idle, notFound: false });

export const usersSlice = createSlice({
  name: 'users',
  initialState,
  reducers: {
    userRequested: (state, _action: PayloadAction<number>) => {
      state.detail = loading;
      state.notFound = false;
    },
    publicUserReceived: (state, { payload }: PayloadAction<ViewedUser>) => {
      users.setOne(state, payload);
      state.detail = ready;
    },
    userFailed: (state, { payload }: PayloadAction<string>) => {
      state.detail = failed(payload);
    },
    userNotFound: (state) => {
      state.notFound = true;
    },
  },
  selectors: {
    selectUserById: users.getSelectors().selectById,
    selectUserState: (state) => state.detail.state,
    selectUserError: (state) => state.detail.error,
    selectIsUserNotFound: (state) => state.notFound,
  },
}).injectInto(reducer);

export const { userRequested, publicUserReceived, userFailed, userNotFound } = usersSlice.actions;
export const { selectUserById, selectUserState, selectUserError, selectIsUserNotFound } =
  usersSlice.selectors;

interface PeopleState extends EntityState<ViewedUser, number> {
  /** The search text; '' for suggestions. */
  text: string;
  /** The search text of the users shown: older than `text` while a response is pending. */
  resultsText: string;
  list: RequestStatus;
}

const people = createEntityAdapter<ViewedUser>();

const noPeople: PeopleState = people.getInitialState({ text: '', resultsText: '', list: idle });

/** Users found by a search, or suggested. */
export const peopleSlice = createSlice({
  name: 'people',
  initialState: noPeople,
  reducers: {
    peopleSearched: (state, { payload }: PayloadAction<string>) => {
      state.text = payload;
      state.list = loading;
    },
    /** Without a search, since the text is too long: the users shown stay. */
    searchTyped: (state, { payload }: PayloadAction<string>) => {
      state.text = payload;
    },
    peopleFound: (state, { payload }: PayloadAction<{ text: string; people: ViewedUser[] }>) => {
      people.setAll(state, payload.people);
      state.resultsText = payload.text;
      state.list = ready;
    },
    peopleFailed: (state, { payload }: PayloadAction<string>) => {
      state.list = failed(payload);
    },
  },
  extraReducers: (builder) => {
    builder.addMatcher(isSessionEnd, () => noPeople);
  },
  selectors: {
    selectSearchText: (state) => state.text,
    selectPeople: people.getSelectors().selectAll,
    selectResultsText: (state) => state.resultsText,
    selectPeopleState: (state) => state.list.state,
    selectPeopleError: (state) => state.list.error,
  },
}).injectInto(reducer);

export const { peopleSearched, searchTyped, peopleFound, peopleFailed } = peopleSlice.actions;
export const { selectSearchText, selectPeople, selectResultsText, selectPeopleState, selectPeopleError } =
  peopleSlice.selectors;
