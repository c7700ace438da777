import type { Client } from '@wayquest/contracts';
import { useContext, useState } from 'react';
import { useDispatch } from 'react-redux';
import { sessionEnded } from '../saga/request.ts';
import { isEndOfSession, problemCodeOf, sentenceOf } from './errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from './request-status.ts';
import { ApiContext } from './use-query.ts';

/** Has the server change something that no other part of a page needs to know of, and says how that goes. */
export function useMutation() {
  const api = useContext(ApiContext);
  const dispatch = useDispatch();
  const [status, setStatus] = useState<RequestStatus>(idle);

  /** `then` follows when it is done. */
  const make = async <R>(change: (client: Client) => Promise<R>, then: (answer: R) => void) => {
    setStatus(loading);
    try {
      const answer = await change(await api());
      setStatus(ready);
      then(answer);
    } catch (error) {
      if (isEndOfSession(problemCodeOf(error))) dispatch(sessionEnded(sentenceOf(error)));
      setStatus(failed(sentenceOf(error)));
    }
  };
  return { ...status, make };
}
