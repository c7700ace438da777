import type { IncomingHttpHeaders } from 'node:http';

/** These speak of one connection only and are never passed on (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const namedByConnection = (connection: string | undefined): string[] | undefined =>
  connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'keep-alive' && name !== 'close');

/** Set anew on the way to a service, whatever the client wrote. `expect` was answered at the gateway. */
const setByGateway =
  /^(?:host|expect|forwarded|x-real-ip|x-request-id|traceparent|tracestate|baggage|x-forwarded-.*)$/;

/** A request's headers (name, value, name, value …) for its service. */
export function requestHeaders(
  { rawHeaders, headers }: { rawHeaders: string[]; headers: IncomingHttpHeaders },
  added: Record<string, string>,
): string[] {
  const named = namedByConnection(headers.connection);
  const passed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (hopByHop.has(name) || setByGateway.test(name) || named?.includes(name)) continue;
    passed.push(name, rawHeaders[index + 1] ?? '');
  }
  for (const name in added) passed.push(name, added[name] ?? '');
  return passed;
}

export type ResponseHeaders = Record<string, string | string[]>;

/** A service's headers for the client, after the gateway's own. Where both say something, the service knows better. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  defaults: Record<string, string>,
): ResponseHeaders {
  const named = namedByConnection(headers.connection);
  const passed: ResponseHeaders = { ...defaults };
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || named?.includes(name)) continue;
    passed[name] = value;
  }
  return passed;
}
