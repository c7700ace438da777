import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { Problem } from '@wayquest/platform/core';
import { requestIdHeader, traceparentHeader } from '@wayquest/platform/telemetry';
import type { Dispatcher } from 'undici';
import type { Breaker } from './breaker.ts';
import type { ClientAddress } from './client-address.ts';
import { compress } from './compression.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { abortSlowClient } from './slow-client-guard.ts';
import { isReset, isSilence, problemOf } from './upstream-errors.ts';
import type { Upstream, UpstreamTimeouts } from './upstreams.ts';

/** One call on its way to a service. */
export interface ProxiedCall {
  /** What leads to the service. Throws if it has no address. */
  upstream: () => Upstream;
  timeouts: UpstreamTimeouts;
  requestId: string;
  /** Of the step that it is, where it is traced. */
  traceparent?: string | undefined;
  client: ClientAddress;
  /** Headers of every answer, unless the service says otherwise. */
  defaultHeaders: Record<string, string>;
  /** The request's, whole; none for one without. */
  body: Buffer | undefined;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The client disconnected: there is nobody to respond to. */
class ClientLeft extends Error {}

/** RFC 9110, section 9.2.2: made twice, they do what they do once. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const forwarded = ({ request, requestId, traceparent, client }: ProxiedCall): string[] =>
  requestHeaders(request, {
    [requestIdHeader]: requestId,
    // One address, the client's own: services believe the last one.
    'x-forwarded-for': client.address,
    'x-forwarded-proto': client.protocol,
    'x-forwarded-host': request.headers.host ?? '',
    ...(traceparent && { [traceparentHeader]: traceparent }),
  });

/** How much of a response is buffered for a slow client, so that the connection to the service becomes free. */
const heldBytes = 1024 * 1024;

/**
 * Sends a call to its service and streams the answer back; resolves when that is over, also when the client left.
 * Rejects with a Problem, perhaps in the middle of the answer.
 */
export function proxy(call: ProxiedCall): Promise<void> {
  const { upstream, timeouts, requestId, body, request, response } = call;
  const { url: path = '', method = '' } = request;
  let retries = idempotent.has(method) ? 1 : 0;
  let controller: Dispatcher.DispatchController | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let answer: Writable = response;
  let over = false;
  let breaker: Breaker | undefined;

  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      if (over) return;
      over = true;
      clearTimeout(waiting);
      if (error) {
        controller?.abort(error);
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
        breaker?.heard();
        const passed = responseHeaders(headers, call.defaultHeaders);
        passed[requestIdHeader] = requestId;
        const gzip = compress(passed, { method, acceptEncoding: request.headers['accept-encoding'] });
        response.writeHead(status, passed);
        if (!gzip) return;
        gzip.once('error', end).pipe(response);
        answer = gzip;
      },
      onResponseData(given, chunk) {
        if (answer.write(chunk) || answer.writableLength < heldBytes) return;
        given.pause();
        const drained = abortSlowClient(response, heldBytes, timeouts);
        answer.once('drain', () => {
          drained();
          given.resume();
        });
      },
      onResponseEnd() {
        const held = response.writableLength + (answer === response ? 0 : answer.writableLength);
        answer.end();
        abortSlowClient(response, held, timeouts);
      },
      onResponseError(_controller, error) {
        if (isSilence(error)) breaker?.silent();
        if (over) return;
        if (retries === 0 || response.headersSent || !isReset(error)) return end(error);
        retries -= 1;
        send();
      },
    };

    const send = () => {
      try {
        const { pool, breaker: its } = upstream();
        its?.admit();
        breaker = its;
        waiting = setTimeout(() => end(new Problem('service-unavailable')), timeouts.connectMs);
        pool.dispatch({ method, path, headers: forwarded(call), body: body ?? null }, handler);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    };

    response.once('close', () => end(response.writableFinished ? undefined : new ClientLeft()));
    send();
  });
}
