/** A response that `before-paint.js` requested, before the app's code was loaded. */
interface EarlyResponse {
  response: Promise<Response>;
  abort: (reason: unknown) => void;
}

declare global {
  /** What was requested for the first page, by URL, and with which token. */
  var earlyData: { token: string | null; responses: Map<string, EarlyResponse> } | undefined;
}

/** Later, what nothing has asked for yet is outdated: milliseconds since the page was opened. */
const currentMs = 30_000;

/**
 * Returns the response of a call that was made while the app's code was loaded, once; undefined if there is none. Any change
 * makes those that are left outdated.
 */
export function takeEarlyResponse(url: string, { method, headers, signal }: RequestInit) {
  const early = globalThis.earlyData;
  if (!early) return undefined;
  if (method !== 'GET' || performance.now() > currentMs) {
    globalThis.earlyData = undefined;
    return undefined;
  }
  if (new Headers(headers).get('authorization') !== early.token) return undefined;
  const found = early.responses.get(url);
  if (!found) return undefined;
  early.responses.delete(url);
  if (signal?.aborted) found.abort(signal.reason);
  else signal?.addEventListener('abort', () => found.abort(signal.reason), { once: true });
  return found.response;
}
