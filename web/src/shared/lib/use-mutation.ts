import type { Client } from '@wayquest/contracts';
import { useContext, useState } from 'react';
import { useDispatch } from 'react-redux';
import { sessionEnded } from '../saga/request.ts';
import { isEndOfSession, problemCodeOf, sentenceOf } from './errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from './request-status.ts';
import { ApiContext } from './use-query.ts';

/** Makes a call that changes something no other part of the page depends on, with its state. */
export function useMutation() {
  const api = useContext(ApiContext);
  const dispatch = useDispatch();
  const [status, setStatus] = useState<RequestStatus>(idle);

  /** `then` is called after it succeeded. */
  const mutate = async <R>(change: (client: Client) => Promise<R>, then: (response: R) => void) => {
    setStatus(loading);
    try {
      const response = await change(await api());
      setStatus(ready);
      then(response);
    } catch (error) {
      if (isEndOfSession(problemCodeOf(error))) dispatch(sessionEnded(sentenceOf(error)));
      setStatus(failed(sentenceOf(error)));
    }
  };
  return { ...status, mutate };
}
