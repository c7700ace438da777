import type { IncomingMessage } from 'node:http';
import { Problem } from '@wayquest/platform/core';

const maxBytes = 1024 * 1024;

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/** GET and HEAD have none that means anything (RFC 9110, section 9.3.1). */
const hasBody = (request: IncomingMessage): boolean =>
  request.method !== 'GET' &&
  request.method !== 'HEAD' &&
  (request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0);

/**
 * Takes in the whole of a request's body, so that whoever sends it slowly keeps nobody but themselves waiting, and it can
 * be sent a second time. Answers none for a request without one. Throws `too-large` above 1 MiB, and what the connection
 * failed with.
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
    // Read on, or the next request on this connection would wait behind what is left of this one.
    request.resume();
  }
  return Buffer.concat(chunks, bytes);
}
