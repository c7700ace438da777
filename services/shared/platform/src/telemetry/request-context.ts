import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to one call or one event, wherever its work leads. */
export interface RequestContext {
  requestId: string;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

export const currentRequestId = (): string | undefined => requestContext.getStore()?.requestId;

/** From the gateway to the services and back to the client. */
export const requestIdHeader = 'x-request-id';

/** A client may name its own request; anything that would not look right in a log is replaced. */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{8,64}$/.test(value);

/** Headers for a call to another service, so that it belongs to the same request. */
export function callHeaders(): Record<string, string> {
  const requestId = currentRequestId();
  return requestId ? { [requestIdHeader]: requestId } : {};
}
