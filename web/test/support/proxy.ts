import { createServer, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** How a proxy handles requests: it forwards them, never responds, or responds itself. */
export type ProxyMode = 'pass' | 'silent' | { status: number; type: string; body: string };

/** A proxy between browsers and the site. */
export interface TestProxy {
  url: string;
  /** Sets the mode from now on; requests whose path is an exception are forwarded. */
  respondWith(mode: ProxyMode, except?: (path: string) => boolean): void;
  close(): void;
}

/** The error page of a proxy whose server is unavailable. */
export const badGateway = {
  status: 502,
  type: 'text/html',
  body: '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
} as const satisfies ProxyMode;

/**
 * Starts a proxy to a site.
 *
 * @param options - Without `webSockets` it rejects upgrades with 400; `dateOffsetMs` changes the date of responses.
 */
export async function startProxy(
  target: string,
  { webSockets = true, dateOffsetMs = 0 } = {},
): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const silent = new Set<ServerResponse>();
  let mode: ProxyMode = 'pass';
  let isException = (_path: string) => false;
  const server = createServer((request, response) => {
    const currentMode = isException(request.url ?? '') ? 'pass' : mode;
    if (currentMode === 'silent') return void silent.add(response);
    if (currentMode !== 'pass') {
      response.writeHead(currentMode.status, { 'content-type': currentMode.type }).end(currentMode.body);
      return;
    }
    const { method, url: path, headers } = request;
    const upstream = send({ hostname, port, method, path, headers }, (respondWith) => {
      const date = new Date(Date.parse(respondWith.headers.date ?? '') + dateOffsetMs).toUTCString();
      const headers = respondWith.rawHeaders.map((text, at) =>
        dateOffsetMs && at % 2 && respondWith.rawHeaders[at - 1]?.toLowerCase() === 'date' ? date : text,
      );
      response.writeHead(respondWith.statusCode ?? 502, headers);
      respondWith.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!webSockets || mode !== 'pass') {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const upstream = connect(Number(port), hostname, () => {
      const lines = request.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `)).join('');
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${lines}\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respondWith(next, except = () => false) {
      mode = next;
      isException = except;
      if (next !== 'silent') for (const response of silent) response.destroy();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
