import { AsyncLocalStorage } from 'node:async_hooks';
import { type Span, traceparentHeader } from './tracing.ts';

/** How long a call of a client has waited for the store of the service, until its response ends. */
export interface StoreWait {
  /** Milliseconds until now. Waits at the same time count once. */
  ms(): number;
  /** Begins a wait; returns a function that ends it. */
  begin(): () => void;
  /** Whether the call has a response: what goes on in its context is work of the background. */
  isOver: boolean;
}

/** Creates the wait of a call that has just arrived. */
export function createStoreWait(): StoreWait {
  let endedMs = 0;
  let current = 0;
  let since = 0;
  const currentMs = () => (current ? performance.now() - since : 0);
  return {
    isOver: false,
    ms: () => endedMs + currentMs(),
    begin() {
      if (!current) since = performance.now();
      current += 1;
      return () => {
        if (current === 1) endedMs += currentMs();
        current -= 1;
      };
    },
  };
}

/** Context of one call or event, available to everything that it causes. */
export interface RequestContext {
  requestId: string;
  /** Client address of a call; absent for an event. */
  address?: string | undefined;
  /** The client's `accept-language`. */
  languages?: string | undefined;
  /** Of a client's call; absent for an event and for jobs. */
  storeWait?: StoreWait | undefined;
  /** The current span, if traced. */
  span?: Span | undefined;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

/** What follows is work of the background, for which nobody waits: a job, or what goes on after the response. */
export function endStoreWait(context: RequestContext | undefined = requestContext.getStore()): void {
  if (context?.storeWait) context.storeWait.isOver = true;
}

export const currentRequestId = (): string | undefined => requestContext.getStore()?.requestId;

/** The `traceparent` of the current span. */
export const currentTraceparent = (): string | undefined => requestContext.getStore()?.span?.traceparent;

/** Header with the request's id: from the gateway to the services, and back to the client. */
export const requestIdHeader = 'x-request-id';

/** Whether a client's id for its request is safe to log; others are replaced. */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{8,64}$/.test(value);

/** Headers for a call to another service, so that it belongs to the same request of the same client. */
export function callHeaders(): Record<string, string> {
  const { requestId, address, languages, span } = requestContext.getStore() ?? {};
  return {
    ...(requestId && { [requestIdHeader]: requestId }),
    ...(address && { 'x-forwarded-for': address }),
    ...(languages && { 'accept-language': languages }),
    ...(span && { [traceparentHeader]: span.traceparent }),
  };
}
