import type { IncomingMessage } from 'node:http';
import { Problem } from '@wayquest/platform/core';

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
