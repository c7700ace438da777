import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import type { OperationInput, OperationName, OperationResult, Operations } from '@wayquest/contracts';
import {
  failed,
  idle,
  loading,
  type RequestStatus,
  ready,
  refreshFailed,
  refreshing,
} from '../lib/request-status.ts';
import { reducer } from './reducer.ts';
import { resourcesCleared } from './request.ts';

export type Input<N extends OperationName> = OperationInput<Operations[N]>;
export type Result<N extends OperationName> = OperationResult<Operations[N]>;

/** Identifies a resource: an operation and its input, and both as text. */
export interface Address<N extends OperationName = OperationName> {
  operation: N;
  input: Input<N>;
  key: string;
}

/** What is known of a resource. */
export interface Entry<R> extends RequestStatus {
  /** The response, or those of a list that was loaded further. */
  pages: R[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** The request of the next page. */
  more: RequestStatus;
}

/** The next page of a list begins at the cursor `after`; without one all of its pages are meant. */
export interface Part<N extends OperationName = OperationName> extends Address<N> {
  after?: string | undefined;
}

/** A component shows a resource. */
export const resourceAsked = createAction<Address>('resource/asked');
/** A component no longer shows it. */
export const resourceReleased = createAction<Address>('resource/released');
export const resourceRequested = createAction<Part>('resource/requested');
export const resourceLoaded = createAction<Part & { pages: Result<OperationName>[]; next: string | null }>(
  'resource/loaded',
);
/** A call that was rejected shows that there is no such data, or no longer. */
export const resourceFailed = createAction<Part & { error: string; isRejected: boolean }>('resource/failed');
/** It was not shown for a while. */
export const resourceDropped = createAction<Address>('resource/dropped');

interface Resources {
  /** Counts sessions: what is shown in several is loaded again. */
  session: number;
  entries: { [N in OperationName]?: Record<string, Entry<Result<N>>> };
}

export interface ResourcesState {
  /** Undefined until the first action after this code was loaded. */
  resources?: Resources;
}

/** Nothing is known of it yet. */
export const unknownEntry: Entry<never> = { ...idle, pages: [], next: null, more: idle };

function changeEntry<N extends OperationName>(
  state: Resources,
  { operation, key }: Address<N>,
  change: (entry: Entry<Result<N>>) => Partial<Entry<Result<N>>>,
): Resources {
  const entry = state.entries[operation]?.[key] ?? unknownEntry;
  const ofOperation = { ...state.entries[operation], [key]: { ...entry, ...change(entry) } };
  return { ...state, entries: { ...state.entries, [operation]: ofOperation } };
}

function dropEntry(state: Resources, { operation, key }: Address): Resources {
  const { [key]: _dropped, ...others } = state.entries[operation] ?? {};
  return { ...state, entries: { ...state.entries, [operation]: others } };
}

const initialState: Resources = { session: 0, entries: {} };

/** The responses that pages show, by operation and input. */
function reduce(state = initialState, action: UnknownAction): Resources {
  if (resourceRequested.match(action))
    return changeEntry(state, action.payload, (entry) =>
      action.payload.after ? { more: loading } : { ...refreshing(entry), more: idle },
    );
  if (resourceLoaded.match(action)) {
    const { after, pages, next } = action.payload;
    return changeEntry(state, action.payload, (entry) => ({
      ...ready,
      ...{ pages: after ? [...entry.pages, ...pages] : pages, next, more: idle },
    }));
  }
  if (resourceFailed.match(action)) {
    const { after, error, isRejected } = action.payload;
    return changeEntry(state, action.payload, (entry) =>
      after
        ? { more: failed(error) }
        : isRejected
          ? { ...unknownEntry, ...failed(error) }
          : refreshFailed(entry, error),
    );
  }
  if (resourceDropped.match(action)) return dropEntry(state, action.payload);
  if (resourcesCleared.match(action)) return { session: state.session + 1, entries: {} };
  return state;
}

export const resourcesSlice = { reducerPath: 'resources' as const, reducer: reduce };
reducer.inject(resourcesSlice);

export const selectResourceSession = ({ resources = initialState }: ResourcesState) => resources.session;

export const selectResource = <N extends OperationName>(
  { resources = initialState }: ResourcesState,
  operation: N,
  key: string | null,
): Entry<Result<N>> | undefined => (key === null ? undefined : resources.entries[operation]?.[key]);
