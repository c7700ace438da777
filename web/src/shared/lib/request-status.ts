/** The state of a request; an error is a sentence for the person. */
export interface RequestStatus {
  state: 'idle' | 'loading' | 'ready' | 'failed';
  error: string | null;
}

export const idle: RequestStatus = { state: 'idle', error: null };
export const loading: RequestStatus = { state: 'loading', error: null };
export const ready: RequestStatus = { state: 'ready', error: null };
export const failed = (error: string): RequestStatus => ({ state: 'failed', error });

/** Loaded data stays visible while it is reloaded … */
export const refreshing = ({ state }: RequestStatus) => (state === 'ready' ? ready : loading);

/** … and after a failed reload. */
export const refreshFailed = ({ state }: RequestStatus, error: string) =>
  state === 'ready' ? ready : failed(error);
