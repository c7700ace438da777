import { AsyncLocalStorage } from 'node:async_hooks';
import { type Span, traceparentHeader } from './tracing.ts';

/** Context of one call or event, available to everything that it causes. */
export interface RequestContext {
  requestId: string;
  /** Client address of a call; absent for an event. */
  address?: string | undefined;
  /** The client's `accept-language`. */
  languages?: string | undefined;
  /** The current span, if traced. */
  span?: Span | undefined;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

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
