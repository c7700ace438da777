import type { IncomingMessage } from 'node:http';
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

const maxBytes = 1024 * 1024;

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/** The content of GET and HEAD requests has no meaning (RFC 9110, section 9.3.1). */
const hasBody = (request: IncomingMessage): boolean =>
  request.method !== 'GET' &&
  request.method !== 'HEAD' &&
  (request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0);

/**
 * Reads the complete body of a request, so that a slow sender occupies no connection to a service, and the body can be
 * sent again. Returns undefined without a body. Throws `too-large` above 1 MiB, and errors of the connection.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (lengthOf(request) > maxBytes) throw new Problem('too-large');
  if (!hasBody(request)) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Problem('too-large');
      chunks.push(chunk);
    }
  } finally {
    // Reads the rest, or the connection's next request would wait behind it.
    request.resume();
  }
  return Buffer.concat(chunks, bytes);
}
