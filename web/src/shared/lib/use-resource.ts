import type { OperationName } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import '../saga/resource-saga.ts';
import {
  type Input,
  type ResourcesState,
  type Result,
  resourceAsked,
  resourceLoaded,
  resourceReleased,
  resourceRequested,
  selectResource,
  selectResourceSession,
  unknownEntry,
} from '../saga/resources.ts';
import { idle, loading, type RequestStatus } from './request-status.ts';

/** A response that a component shows, as far as it is loaded. */
export interface Resource<R> extends RequestStatus {
  /** Null until it is loaded. */
  data: R | null;
  /** Of a list that was loaded further: its responses. */
  pages: R[];
  loadingMore: RequestStatus;
  /** Loads the next page of a list; undefined after the last one. */
  more: (() => void) | undefined;
  refetch(): void;
  /** Shows other data, such as the response of a change. */
  replace(data: R): void;
}

/** Objects with the same content have the same text. */
const sorted = (_: string, value: unknown) =>
  value instanceof Object && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value;

/**
 * Loads what an operation responds to an input, while the component is mounted; null loads nothing yet. Components with the same
 * operation and input share one response.
 */
export function useResource<N extends OperationName>(
  operation: N,
  input: Input<N> | null,
): Resource<Result<N>> {
  const dispatch = useDispatch();
  const session = useSelector(selectResourceSession);
  const key = input && `${operation} ${JSON.stringify(input, sorted)}`;
  const entry = useSelector((state: ResourcesState) => selectResource(state, operation, key));
  const address = input && key ? { operation, input, key } : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the address, in each session
  useEffect(() => {
    if (!address) return;
    dispatch(resourceAsked(address));
    return () => void dispatch(resourceReleased(address));
  }, [dispatch, key, session]);
  const { pages, next, more, ...status } = entry ?? { ...unknownEntry, ...(address ? loading : idle) };
  const request = (after?: string) => {
    if (address) dispatch(resourceRequested({ ...address, after }));
  };
  return {
    ...status,
    data: pages[0] ?? null,
    pages,
    loadingMore: more,
    more: next === null ? undefined : () => request(next),
    refetch: () => request(),
    replace: (data) => {
      if (address) dispatch(resourceLoaded({ ...address, pages: [data], next: null }));
    },
  };
}
