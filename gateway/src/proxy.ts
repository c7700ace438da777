import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { startTimeout } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { requestIdHeader, traceparentHeader } from '@wayquest/platform/telemetry';
import type { Dispatcher } from 'undici';
import type { ClientAddress } from './client-address.ts';
import { compress, requestHeaders, responseHeaders } from './headers.ts';
import {
  type CircuitBreaker,
  isConnectionReset,
  isResponseTimeout,
  problemOf,
  type Upstream,
  type UpstreamTimeouts,
} from './upstreams.ts';

/** A call to be proxied. */
export interface ProxiedCall {
  /** The service. Throws if it has no address. */
  upstream: () => Upstream;
  timeouts: UpstreamTimeouts;
  requestId: string;
  /** Of its span, if traced. */
  traceparent?: string | undefined;
  client: ClientAddress;
  /** Headers of every response that the service does not set. */
  defaultHeaders: Record<string, string>;
  /** The complete request body; undefined if there is none. */
  body: Buffer | undefined;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The client disconnected: there is nobody to respond to. */
class ClientDisconnected extends Error {}

/** Methods that can be repeated safely (RFC 9110, section 9.2.2). */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

const forwardedHeaders = ({ request, requestId, traceparent, client }: ProxiedCall): string[] =>
  requestHeaders(request, {
    [requestIdHeader]: requestId,
    // Only the client's own address: services trust the last one.
    'x-forwarded-for': client.address,
    'x-forwarded-proto': client.protocol,
    'x-forwarded-host': request.headers.host ?? '',
    ...(traceparent && { [traceparentHeader]: traceparent }),
  });

/** How much of a response is buffered for a slow client, so that the connection to the service becomes free. */
const maxBufferedBytes = 1024 * 1024;

/**
 * Destroys the response if the client does not drain `bytes` within `drainTimeoutMs + bytes / minBytesPerSecond`:
 * unread data occupies memory and, for a long response, a connection.
 *
 * @returns A function to call once the bytes are drained.
 */
function abortSlowClient(
  response: ServerResponse,
  bytes: number,
  { drainTimeoutMs, minBytesPerSecond }: UpstreamTimeouts,
): () => void {
  const cancelTimeout = startTimeout(drainTimeoutMs + (bytes / minBytesPerSecond) * 1_000, () =>
    response.destroy(),
  );
  response.once('close', cancelTimeout);
  return cancelTimeout;
}

/**
 * Sends a call to its service and streams the response; resolves when it ends or the client disconnects. Rejects with a
 * Problem, possibly in the middle of the response.
 */
export function proxy(call: ProxiedCall): Promise<void> {
  const { upstream, timeouts, requestId, body, request, response } = call;
  const { url: path = '', method = '' } = request;
  let retries = idempotent.has(method) ? 1 : 0;
  let controller: Dispatcher.DispatchController | undefined;
  let cancelConnectTimeout: (() => void) | undefined;
  let output: Writable = response;
  let ended = false;
  let breaker: CircuitBreaker | undefined;

  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      if (ended) return;
      ended = true;
      cancelConnectTimeout?.();
      if (error) {
        controller?.abort(error);
        if (output !== response) output.destroy();
      }
      if (!error || error instanceof ClientDisconnected) resolve();
      else reject(problemOf(error));
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(requestController) {
        cancelConnectTimeout?.();
        // It has timed out or ended while it was queued. Throws, since an abort would close the connection that has
        // become free.
        if (ended) throw new ClientDisconnected();
        controller = requestController;
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        breaker?.recordResponse();
        const responseHead = responseHeaders(headers, call.defaultHeaders);
        responseHead[requestIdHeader] = requestId;
        const gzip = compress(responseHead, { method, acceptEncoding: request.headers['accept-encoding'] });
        response.writeHead(status, responseHead);
        if (!gzip) return;
        gzip.once('error', end).pipe(response);
        output = gzip;
      },
      onResponseData(requestController, chunk) {
        if (output.write(chunk) || output.writableLength < maxBufferedBytes) return;
        requestController.pause();
        const cancelTimeout = abortSlowClient(response, maxBufferedBytes, timeouts);
        output.once('drain', () => {
          cancelTimeout();
          requestController.resume();
        });
      },
      onResponseEnd() {
        const buffered = response.writableLength + (output === response ? 0 : output.writableLength);
        output.end();
        abortSlowClient(response, buffered, timeouts);
      },
      onResponseError(_controller, error) {
        if (isResponseTimeout(error)) breaker?.recordTimeout();
        if (ended) return;
        if (retries === 0 || response.headersSent || !isConnectionReset(error)) return end(error);
        retries -= 1;
        send();
      },
    };

    const send = () => {
      try {
        const { pool, breaker: upstreamBreaker } = upstream();
        upstreamBreaker?.admit();
        breaker = upstreamBreaker;
        cancelConnectTimeout = startTimeout(timeouts.connectMs, () =>
          end(new Problem('service-unavailable')),
        );
        pool.dispatch({ method, path, headers: forwardedHeaders(call), body: body ?? null }, handler);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    };

    response.once('close', () => end(response.writableFinished ? undefined : new ClientDisconnected()));
    send();
  });
}
