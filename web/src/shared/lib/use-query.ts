import type { Client } from '@wayquest/contracts';
import { createContext, useContext, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { sessionEnded } from '../saga/request.ts';
import { isEndOfSession, problemCodeOf, sentenceOf } from './errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from './request-status.ts';

/** Provides the client to components that load data for themselves. */
export const ApiContext = createContext<() => Promise<Client>>(() =>
  Promise.reject(new Error('ApiContext has no client')),
);

export interface QueryResult<R> extends RequestStatus {
  /** Null until it is loaded, and while another key is loading. */
  data: R | null;
  refetch(): void;
}

/**
 * Loads data that only one part of a page shows, while it is mounted. The key identifies the data: another key loads
 * again, and null loads nothing.
 */
export function useQuery<R>(key: string | null, load: (client: Client) => Promise<R>): QueryResult<R> {
  const api = useContext(ApiContext);
  const dispatch = useDispatch();
  const [attempt, setAttempt] = useState(0);
  // With the key of its data: in the render after a change of the key, it still has that of the previous one.
  const [result, setResult] = useState<RequestStatus & { data: R | null; key: string | null }>({
    ...idle,
    data: null,
    key: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies what is loaded
  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    setResult({ ...loading, data: null, key });
    api()
      .then(load)
      .then(
        (data) => {
          if (isCurrent) setResult({ ...ready, data, key });
        },
        (error: unknown) => {
          if (!isCurrent) return;
          if (isEndOfSession(problemCodeOf(error))) dispatch(sessionEnded(sentenceOf(error)));
          setResult({ ...failed(sentenceOf(error)), data: null, key });
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [api, dispatch, key, attempt]);
  const refetch = () => setAttempt(attempt + 1);
  if (key === null) return { ...idle, data: null, refetch };
  if (result.key !== key) return { ...loading, data: null, refetch };
  return { ...result, refetch };
}
