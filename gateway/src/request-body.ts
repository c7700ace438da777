import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { Problem } from '@wayquest/platform';

const mostBytes = 1024 * 1024;

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0;

/**
 * A request's body on its way to a service; none for a request without one, and none for GET and HEAD, where a
 * body means nothing (RFC 9110, section 9.3.1). Throws `too-large` for a body that says so, and fails with it for
 * one that turns out so.
 */
export function bodyOf(request: IncomingMessage): Transform | undefined {
  if (lengthOf(request) > mostBytes) throw new Problem('too-large');
  if (!hasBody(request) || request.method === 'GET' || request.method === 'HEAD') return undefined;
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > mostBytes) done(new Problem('too-large'));
      else done(null, chunk);
    },
  });
  request.pipe(body);
  // Read on, or the next request on this connection would wait behind what is left of this one.
  body.once('close', () => request.resume());
  return body;
}
