import type { CallOptions, OperationName } from '@wayquest/contracts';
import { useCallback, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { Deps } from '../saga/deps.ts';
import { request } from '../saga/request.ts';
import '../saga/resource-saga.ts';
import { sagaStarted } from '../saga/feature-sagas.ts';
import type { Input, Result } from '../saga/resources.ts';
import { sentenceOf } from './errors.ts';
import { failed, idle, loading, type RequestStatus, ready } from './request-status.ts';

/** Runs a saga, and returns its result. */
export type RunSaga = <R>(saga: (deps: Deps) => Generator<unknown, R>) => Promise<R>;

/** Returns a function that runs sagas. They go on if the component is unmounted. */
export function useRunSaga(): RunSaga {
  const dispatch = useDispatch();
  return useCallback(
    (saga) =>
      new Promise((resolve, reject) => {
        dispatch(
          sagaStarted(function* run(deps) {
            try {
              resolve(yield* saga(deps));
            } catch (error) {
              reject(error);
            }
          }),
        );
      }),
    [dispatch],
  );
}

/** A saga that a component starts, and its state. */
export interface Mutation<I, R> extends RequestStatus {
  /** `then` is called with the result, `otherwise` with an error. */
  send(input: I, then?: (result: R) => void, otherwise?: (error: unknown) => void): void;
}

/** A saga of several calls, or of more than calls. */
export function useSaga<I, R>(saga: (deps: Deps, input: I) => Generator<unknown, R>): Mutation<I, R> {
  const run = useRunSaga();
  const [status, setStatus] = useState<RequestStatus>(idle);
  const send: Mutation<I, R>['send'] = async (input, then, otherwise) => {
    setStatus(loading);
    try {
      const result = await run((deps) => saga(deps, input));
      setStatus(ready);
      then?.(result);
    } catch (error) {
      setStatus(failed(sentenceOf(error)));
      otherwise?.(error);
    }
  };
  return { ...status, send };
}

/** Calls an operation that changes something. What that makes outdated is named beside the operation (`invalidates`). */
export const useMutation = <N extends OperationName>(operation: N, options?: CallOptions) =>
  useSaga<Input<N>, Result<N>>((deps, input) => request(deps, (api) => api[operation](input, options)));
