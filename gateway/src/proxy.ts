import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { Problem, requestIdHeader } from '@wayquest/platform';
import type { Dispatcher, Pool } from 'undici';
import type { Caller } from './caller.ts';
import { compress } from './compression.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { bodyOf } from './request-body.ts';
import { dataSecurity } from './security-headers.ts';
import { isReset, problemOf } from './upstream-errors.ts';

/** One call on its way to a service. */
export interface ProxiedCall {
  /** The connections to the service. Throws if it has no address. */
  pool: () => Pool;
  /** How long to wait for one of them. */
  connectMs: number;
  requestId: string;
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The client hung up: nobody is left to be told anything. */
class ClientLeft extends Error {}

/** RFC 9110, section 9.2.2: made twice, they do what they do once. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const forwarded = ({ request, requestId, caller }: ProxiedCall): string[] =>
  requestHeaders(request, {
    [requestIdHeader]: requestId,
    // One address, the client's own: services believe the last one.
    'x-forwarded-for': caller.address,
    'x-forwarded-proto': caller.protocol,
    'x-forwarded-host': request.headers.host ?? '',
  });

/**
 * Streams a call to its service and the answer back; resolves when that is over, also when the client left.
 * Rejects with a Problem, perhaps in the middle of the answer.
 */
export function proxy(call: ProxiedCall): Promise<void> {
  const { pool, connectMs, requestId, caller, request, response } = call;
  const { url: path = '', method = '' } = request;
  const body = bodyOf(request);
  // Only what can be sent again as it was: a body that has begun to stream is gone.
  let retries = body === undefined && idempotent.has(method) ? 1 : 0;
  let controller: Dispatcher.DispatchController | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let answer: Writable = response;
  let over = false;

  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      if (over) return;
      over = true;
      clearTimeout(waiting);
      if (error) {
        controller?.abort(error);
        body?.destroy();
        if (answer !== response) answer.destroy();
      }
      if (!error || error instanceof ClientLeft) resolve();
      else reject(problemOf(error));
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        clearTimeout(waiting);
        // Its turn came too late. Thrown, because an abort would cost the connection that has become free.
        if (over) throw new ClientLeft();
        controller = given;
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        const passed = responseHeaders(headers, dataSecurity(caller));
        passed[requestIdHeader] = requestId;
        const gzip = compress(passed, { method, acceptEncoding: request.headers['accept-encoding'] });
        response.writeHead(status, passed);
        if (!gzip) return;
        gzip.once('error', end).pipe(response);
        answer = gzip;
      },
      onResponseData(given, chunk) {
        if (answer.write(chunk)) return;
        given.pause();
        answer.once('drain', () => given.resume());
      },
      onResponseEnd() {
        answer.end();
      },
      onResponseError(_controller, error) {
        if (over) return;
        if (retries === 0 || response.headersSent || !isReset(error)) return end(error);
        retries -= 1;
        send();
      },
    };

    const send = () => {
      try {
        const connections = pool();
        waiting = setTimeout(() => end(new Problem('service-unavailable')), connectMs);
        connections.dispatch({ method, path, headers: forwarded(call), body: body ?? null }, handler);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    };

    response.once('close', () => end(response.writableFinished ? undefined : new ClientLeft()));
    body?.once('error', end);
    send();
  });
}
