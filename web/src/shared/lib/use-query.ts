import type { Client } from '@wayquest/contracts';
import { createContext, useContext, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { sessionEnded } from '../saga/request.ts';
import { isEndOfSession, problemCodeOf, sentenceOf } from './errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from './request-status.ts';

/** Provides the client to components that load data for themselves. */
export const ApiContext = createContext<() => Promise<Client>>(() =>
  Promise.reject(new Error('There is no client around')),
);

export interface Asked<R> extends RequestStatus {
  /** Null until it is loaded, and while another key is loading. */
  answer: R | null;
  again(): void;
}

/**
 * Loads data that only one part of a page shows, while it is mounted. The key identifies the data: another key loads
 * again, and null loads nothing.
 */
export function useQuery<R>(key: string | null, ask: (client: Client) => Promise<R>): Asked<R> {
  const api = useContext(ApiContext);
  const dispatch = useDispatch();
  const [attempt, setAttempt] = useState(0);
  // With the key of its data: in the render after a change of the key, it still has that of the previous one.
  const [asked, setAsked] = useState<RequestStatus & { answer: R | null; key: string | null }>({
    ...idle,
    answer: null,
    key: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies what is loaded
  useEffect(() => {
    if (key === null) return;
    let isWanted = true;
    setAsked({ ...loading, answer: null, key });
    api()
      .then(ask)
      .then(
        (answer) => {
          if (isWanted) setAsked({ ...ready, answer, key });
        },
        (error: unknown) => {
          if (!isWanted) return;
          if (isEndOfSession(problemCodeOf(error))) dispatch(sessionEnded(sentenceOf(error)));
          setAsked({ ...failed(sentenceOf(error)), answer: null, key });
        },
      );
    return () => {
      isWanted = false;
    };
  }, [api, dispatch, key, attempt]);
  const again = () => setAttempt(attempt + 1);
  if (key === null) return { ...idle, answer: null, again };
  if (asked.key !== key) return { ...loading, answer: null, again };
  return { ...asked, again };
}
