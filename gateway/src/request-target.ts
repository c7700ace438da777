import { Problem } from '@wayquest/platform/core';

/** A request's path, without its query. */
export function pathOf({ url = '' }: { url?: string | undefined }): string {
  const cut = url.indexOf('?');
  return cut === -1 ? url : url.slice(0, cut);
}

const invalid = (cause?: unknown) =>
  new Problem('invalid-request', { cause, errors: [{ field: 'path', reason: 'is not well-formed' }] });

/**
 * Rejects a target that two programs could parse differently (dot segments, empty segments, backslashes, broken
 * escapes, absolute forms), so that the gateway and the services always see the same path.
 */
export function checkTarget(request: { url?: string | undefined }): void {
  // Printable ASCII without `#`, which no client sends (RFC 9112, section 3.2.1).
  if (!/^\/[!"$-~]*$/.test(request.url ?? '')) throw invalid();
  let path: string;
  try {
    path = decodeURIComponent(pathOf(request));
  } catch (error) {
    throw invalid(error);
  }
  if (/\/\/|\\|\/\.{1,2}(\/|$)|\p{Cc}/u.test(path)) throw invalid();
}
